import Foundation
import Synchronization

/// The modes of the terminal before this process changed them, stored where a signal handler can read them.
///
/// The modes are restored at `exit` and when a signal terminates the process, so that a crash leaves a usable shell.
enum TerminalModes {
    private struct Saved {
        var isChanged = false
        var input: Int32 = 0
        var output: Int32 = 0
        var modes = termios()
    }

    // A pointer, because a signal handler must not run into an exclusivity check. Sound: only the main actor writes it, and `isChanged` is
    // set last and cleared first. So a handler reads complete values or does nothing, wherever it interrupts.
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

    // The previous action of each signal, by number. Sound for the same reason: an entry is written before its handler is installed.
    private nonisolated(unsafe) static let previousActions: UnsafeMutableBufferPointer<SignalAction> = {
        let buffer = UnsafeMutableBufferPointer<SignalAction>.allocate(capacity: Int(signalNumbers.upperBound) + 1)
        buffer.initialize(repeating: SignalAction())
        return buffer
    }()

    /// Set when a signal is about to terminate the process: nothing may be drawn after the terminal was restored.
    private static let isEnding = Atomic(false)

    static let enterSequence = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)
    static let mouseSequence = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    static let leaveSequence = Array("\u{1B}[m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

    private static let signalNumbers: ClosedRange<Int32> = 1...64
    /// Signals that the processor or the process itself raises. Swift's runtime may have handlers for them, which run next.
    private static let crashes: Set = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    /// Signals that do not terminate a process, or cannot be handled.
    private static let harmless: Set = {
        var numbers: Set = [SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH]
        #if canImport(Darwin)
            numbers.formUnion([SIGIO, SIGINFO])
        #endif
        return numbers
    }()

    /// Whether the terminal has been restored because the process is terminating, so that output must be dropped.
    static var isOutputOver: Bool { isEnding.load(ordering: .relaxed) }

    private static let prepareOnce: Void = {
        // Everything that the handler uses is created before it can run.
        _ = (saved, leaving, previousActions, isOutputOver)
        atexit { TerminalModes.restore() }
        provideStack()
    }()

    /// After a stack overflow the handler needs a stack of its own.
    private static func provideStack() {
        var stack = stack_t()
        guard sigaltstack(nil, &stack) == 0, stack.ss_sp == nil else { return }
        stack = stack_t()
        stack.ss_size = 65_536
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)
        sigaltstack(&stack, nil)
    }

    /// Handles each signal that would terminate the process immediately. A signal that is ignored or has a handler stays unchanged.
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

    /// Sets raw mode: each byte arrives immediately, without echo, and keys send no signals.
    /// - Returns: `false`, with `errno`, if the modes could not be set.
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

    /// Sets raw mode again after others have changed the terminal's modes.
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

    /// Restores the modes. Writes nothing: the caller has written `leaveSequence`.
    @MainActor
    static func restoreModes() {
        guard saved.pointee.isChanged else { return }
        saved.pointee.isChanged = false
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.modes)
    }

    /// Leaves the screen and restores the modes, however the process ends. Async-signal-safe.
    private static func restore() {
        guard saved.pointee.isChanged else { return }
        saved.pointee.isChanged = false
        isEnding.store(true, ordering: .sequentiallyConsistent)
        // A terminal stopped by Ctrl-S must not prevent the process from terminating.
        var waiting = pollfd(fd: saved.pointee.output, events: Int16(POLLOUT), revents: 0)
        if poll(&waiting, 1, patience) > 0 { _ = write(saved.pointee.output, leaving.baseAddress, leaving.count) }
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.modes)
    }

    /// Handles a signal that terminates the process: restores the terminal and continues with the previous action. The handler is not
    /// isolated, because it runs on any thread.
    private static let end: SignalAction.Handler = { number, info, _ in
        restore()
        previousActions[Int(number)].install(for: number)
        // A processor exception is raised again as soon as this handler returns. Any other signal must be sent again, and is delivered when
        // the handler returns.
        switch number {
        case SIGILL, SIGBUS, SIGFPE, SIGSEGV:
            guard let info, info.pointee.si_code > 0 else { fallthrough }
        default: raise(number)
        }
    }

    /// The time to wait for the terminal, in milliseconds.
    private static let patience: Int32 = 250
}
