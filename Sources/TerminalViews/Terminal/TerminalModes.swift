import Foundation

/// The modes of the terminal before this process changed them, kept where a signal handler can reach them.
///
/// The modes come back at `exit`, and also when the process crashes: a person gets a usable shell with the crash's message.
enum TerminalModes {
    private struct Saved {
        var isChanged = false
        var input: Int32 = 0
        var output: Int32 = 0
        var modes = termios()
    }

    // A pointer, because a signal handler must not meet an exclusivity check. Sound: it is written on the main actor only, and
    // `isChanged` is set last and cleared first, so that a handler, wherever it interrupts, finds whole values or does nothing.
    private nonisolated(unsafe) static let saved: UnsafeMutablePointer<Saved> = {
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(to: Saved())
        return pointer
    }()

    private nonisolated(unsafe) static let leaving: UnsafeMutableBufferPointer<UInt8> = {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leaveSequence.count)
        _ = buffer.initialize(from: leaveSequence)
        return buffer
    }()

    // Sound for the same reason: filled once, before the handlers that read it are installed.
    private nonisolated(unsafe) static let previousActions: UnsafeMutableBufferPointer<sigaction> = {
        let buffer = UnsafeMutableBufferPointer<sigaction>.allocate(capacity: fatalSignals.count)
        buffer.initialize(repeating: sigaction())
        return buffer
    }()

    static let enterSequence = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)
    static let leaveSequence = Array("\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

    private static let fatalSignals = [SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    private static let installOnce: Void = {
        _ = (saved, leaving, previousActions)
        atexit { TerminalModes.restore() }
        for (index, number) in fatalSignals.enumerated() {
            sigaction(number, nil, &previousActions[index])
            guard !isIgnored(previousActions[index]) else { continue }
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | (previousActions[index].sa_flags & SA_ONSTACK)
            #if canImport(Glibc)
                action.__sigaction_handler.sa_sigaction = { number, info, _ in TerminalModes.crashed(number, info) }
            #else
                action.__sigaction_u.__sa_sigaction = { number, info, _ in TerminalModes.crashed(number, info) }
            #endif
            sigaction(number, &action, nil)
        }
    }()

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // SIG_IGN is the pointer 1 in C.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    /// Raw mode: each byte at once, no echo, no signals from keys.
    @MainActor
    static func makeRaw(input: Int32, output: Int32) -> Bool {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return false }
        _ = installOnce
        saved.pointee = Saved(isChanged: false, input: input, output: output, modes: modes)
        saved.pointee.isChanged = true
        cfmakeraw(&modes)
        return tcsetattr(input, TCSANOW, &modes) == 0
    }

    /// Sets the modes back. Nothing is written: the caller has written `leaveSequence`.
    @MainActor
    static func restoreModes() {
        guard saved.pointee.isChanged else { return }
        saved.pointee.isChanged = false
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.modes)
    }

    /// Leaves the screen and sets the modes back, from wherever the process ends. Calls only what a signal handler may.
    private static func restore() {
        guard saved.pointee.isChanged else { return }
        saved.pointee.isChanged = false
        _ = write(saved.pointee.output, leaving.baseAddress, leaving.count)
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.modes)
    }

    private static func crashed(_ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
        restore()
        for (index, candidate) in fatalSignals.enumerated() where candidate == number {
            sigaction(number, &previousActions[index], nil)
        }
        // What the processor raised happens again as soon as this returns, and meets the previous handler; what was sent must be sent again.
        guard let info, info.pointee.si_code > 0 else {
            raise(number)
            return
        }
    }
}
