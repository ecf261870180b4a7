import Foundation
import Synchronization

/// The modes of the terminal before this process changed them, kept where a signal handler can reach them.
///
/// The modes come back at `exit`, and also when a signal ends the process: a person gets a usable shell with the crash's message.
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

    // What happened with each signal before, at its number. Sound for the same reason: an entry is written before its handler is installed.
    private nonisolated(unsafe) static let previousActions: UnsafeMutableBufferPointer<SignalAction> = {
        let buffer = UnsafeMutableBufferPointer<SignalAction>.allocate(capacity: Int(signalNumbers.upperBound) + 1)
        buffer.initialize(repeating: SignalAction())
        return buffer
    }()

    /// Set when a signal is about to end the process: nothing may be drawn after the terminal was given back.
    private static let isEnding = Atomic(false)

    static let enterSequence = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)
    static let leaveSequence = Array("\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

    private static let signalNumbers: ClosedRange<Int32> = 1...64
    /// What the processor or the process itself raises. Swift's runtime may have handlers of its own for them, which come next.
    private static let crashes: Set = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    /// These do not end a process, or cannot be handled.
    private static let harmless: Set = {
        var numbers: Set = [SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH]
        #if canImport(Darwin)
            numbers.formUnion([SIGIO, SIGINFO])
        #endif
        return numbers
    }()

    /// Whether output to a terminal would come after the terminal was given back.
    static var isOutputOver: Bool { isEnding.load(ordering: .relaxed) }

    private static let prepareOnce: Void = {
        // Whatever the handler uses is made before it can run.
        _ = (saved, leaving, previousActions, isOutputOver)
        atexit { TerminalModes.restore() }
        provideStack()
    }()

    /// A stack overflow leaves the handler no room on the stack that overflowed.
    private static func provideStack() {
        var stack = stack_t()
        guard sigaltstack(nil, &stack) == 0, stack.ss_sp == nil else { return }
        stack = stack_t()
        stack.ss_size = 65_536
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)
        sigaltstack(&stack, nil)
    }

    /// Takes each signal that would end the process at once. A signal that is ignored, or that the program has a handler for, stays as it is.
    @MainActor
    private static func catchFatalSignals() {
        let catching = SignalAction(flags: SA_ONSTACK, isAlone: true, end)
        for number in signalNumbers where !harmless.contains(number) && !MainLoop.isListening(to: number) {
            let present = SignalAction(of: number)
            let isNew = crashes.contains(number) && !present.isIgnored && !caughtCrashes.contains(number)
            guard present.isDefault || isNew else { continue }
            previousActions[Int(number)] = present
            catching.install(for: number)
            if crashes.contains(number) { caughtCrashes.insert(number) }
        }
    }

    @MainActor private static var caughtCrashes: Set<Int32> = []

    /// Raw mode: each byte at once, no echo, no signals from keys.
    /// - Returns: false, with `errno`, where the modes could not be set.
    @MainActor
    static func makeRaw(input: Int32, output: Int32) -> Bool {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return false }
        _ = prepareOnce
        catchFatalSignals()
        saved.pointee = Saved(isChanged: false, input: input, output: output, modes: modes)
        saved.pointee.isChanged = true
        return setRaw(input)
    }

    /// Sets raw mode again after others have set the terminal's modes.
    @MainActor
    static func makeRawAgain() {
        guard saved.pointee.isChanged else { return }
        _ = setRaw(saved.pointee.input)
    }

    private static func setRaw(_ input: Int32) -> Bool {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return false }
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
        isEnding.store(true, ordering: .sequentiallyConsistent)
        // A terminal that was stopped (Ctrl-S) must not keep the process from ending.
        var waiting = pollfd(fd: saved.pointee.output, events: Int16(POLLOUT), revents: 0)
        if poll(&waiting, 1, patience) > 0 { _ = write(saved.pointee.output, leaving.baseAddress, leaving.count) }
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.modes)
    }

    /// The handler of a signal that ends the process: gives the terminal back, and lets happen what would have happened. It belongs to no
    /// actor, for it runs on any thread.
    private static let end: SignalAction.Handler = { number, info, _ in
        restore()
        previousActions[Int(number)].install(for: number)
        // What the processor raised happens again as soon as this returns. Anything else must be sent again; it comes when this returns.
        switch number {
        case SIGILL, SIGBUS, SIGFPE, SIGSEGV:
            guard let info, info.pointee.si_code > 0 else { fallthrough }
        default: raise(number)
        }
    }

    /// Milliseconds.
    private static let patience: Int32 = 250
}
