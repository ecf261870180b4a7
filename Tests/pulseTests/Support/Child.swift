@preconcurrency import Dispatch
import Foundation
import Synchronization
import TerminalViews
import TestSupport

/// A running `pulse`, with a limit on its life: what hangs is killed and fails its test.
final class Child: Sendable {
    enum Failure: Error {
        case cannotStart(Int32)
    }

    /// How it ended.
    enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    /// Held while descriptors are opened and while a child is started, so that no child inherits what is not its own.
    static let startingLock = NSLock()

    /// How many megabytes it may use at most; the sanitizer has memory of its own for each byte.
    #if THREAD_SANITIZER
        static let memoryLimit = 1_000
    #else
        static let memoryLimit = 200
    #endif

    let process: pid_t
    private let ending: Ending
    /// `POSIX_SPAWN_SETSID`, which Glibc's module does not show.
    #if canImport(Glibc)
        private static let newSession: Int16 = 0x80
    #else
        private static let newSession = Int16(POSIX_SPAWN_SETSID)
    #endif
    private let watchdog: any DispatchSourceTimer

    private init(process: pid_t, limit: Double) {
        self.process = process
        let ending = Ending(of: process)
        self.ending = ending
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + limit)
        timer.setEventHandler { ending.send(SIGKILL) }
        timer.activate()
        watchdog = timer
    }

    deinit {
        watchdog.cancel()
        ending.send(SIGKILL)
    }

    /// Starts it with these descriptors as standard input, output and error; -1 is the null device. With a terminal, it leads a session
    /// on that terminal, as under a shell.
    static func start(
        _ arguments: [String], program: [String] = [PulseBinary.path], environment: [String: String] = [:], input: Int32 = -1,
        output: Int32 = -1, errors: Int32 = -1,
        terminal: PseudoTerminal? = nil, limit: Double = 1_200
    ) throws -> Child {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The test's threads block signals, and a child would inherit that.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // The tests may run where signals are ignored: under nohup, in the background of a script, or under a profiler.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | (terminal == nil ? 0 : Self.newSession))
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
        }
        for (target, source) in [(Int32(0), input), (1, output), (2, errors)] where terminal == nil || source >= 0 || target > 0 {
            if source >= 0 {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else if terminal != nil {
                posix_spawn_file_actions_adddup2(&actions, 0, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        // Descriptors of other tests: a socket that this one kept open would not be closed when its test closes it.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/dev/fd") {
            if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        }
        let process = try spawn(program + arguments, environment: environment, &actions, &attributes)
        return Child(process: process, limit: limit)
    }

    private static func spawn(
        _ words: [String], environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws -> pid_t {
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "COLORTERM", "COLORFGBG"] { variables[name] = nil }
        variables["TERM"] = "xterm-256color"
        variables["LC_ALL"] = "C.UTF-8"
        variables.merge(environment) { $1 }
        let arguments = words.map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + settings).forEach { free($0) } }
        var process = pid_t()
        let code = startingLock.withLock { posix_spawn(&process, words[0], &actions, &attributes, arguments, settings) }
        guard code == 0 else { throw Failure.cannotStart(code) }
        return process
    }

    /// Waits for its end.
    func end() async -> End {
        let end = await ending.end()
        watchdog.cancel()
        return end
    }

    func send(_ signal: Int32) {
        ending.send(signal)
    }
}

/// Waits for a child on a thread, from its start on: the thread that waits for exit tests looks at one zombie, the first, without a pause.
private final class Ending: Sendable {
    private enum State {
        case running([CheckedContinuation<Child.End, Never>])
        case ended(Child.End)
    }

    private let process: pid_t
    private let state = Mutex(State.running([]))

    init(of process: pid_t) {
        self.process = process
        Thread.detachNewThread { [self] in reap() }
    }

    /// Sends a signal, unless its number may belong to another process by now.
    func send(_ signal: Int32) {
        state.withLock { if case .running = $0 { kill(process, signal) } }
    }

    func end() async -> Child.End {
        await withCheckedContinuation { continuation in
            let end: Child.End? = state.withLock { state in
                switch state {
                case .ended(let end): return end
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return nil
                }
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (end, waiting) = state.withLock { state in
            var status = Int32()
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let end: Child.End = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
            defer { state = .ended(end) }
            guard case .running(let waiting) = state else { return (end, [CheckedContinuation<Child.End, Never>]()) }
            return (end, waiting)
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }
}

/// Runs blocking work on a dedicated thread, so that other tests continue.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
