internal import CStreamsSystem
import Foundation

/// A started child, until it has been waited for. Its number is not used after that, because it may then belong to another process.
final class ChildProcess: Sendable {
    private struct State {
        let number: pid_t
        var isReaped = false
        var isStopping = false
    }

    private let state: Lock<State>
    private let ended = Lock(false)
    private let mark = Resources.Mark("ChildProcess")

    private init(_ number: pid_t) {
        state = Lock(State(number: number))
    }

    /// Starts `command` with these descriptors; wakes `waker` at its end.
    static func start(
        _ command: Command, input: Int32, output: Int32, errors: Int32, waking waker: Waker
    ) throws -> ChildProcess {
        let path = try command.executable()
        var number: pid_t = 0
        let error = withCStrings([command.program] + command.arguments) { arguments in
            withCStrings(command.environmentLines()) { environment in
                withOptionalCString(command.directory?.path(percentEncoded: false)) { directory in
                    streams_spawn(&number, path, arguments, environment, directory, input, output, errors)
                }
            }
        }
        guard error == 0 else { throw command.startError(error) }
        let child = ChildProcess(number)
        do {
            try Threads.start {
                child.waitForEnd()
                waker.wake()
            }
        } catch {
            child.signal(SIGKILL)
            child.waitForEnd()
            _ = child.reap()
            throw error
        }
        return child
    }

    /// Whether the child has ended; it may then be reaped.
    var hasEnded: Bool { ended.withLock { $0 } }

    /// Sends a signal to the child and the processes that it has started, unless the child has been reaped.
    func signal(_ signal: Int32) {
        state.withLock { state in
            if !state.isReaped { kill(-state.number, signal) }
        }
    }

    /// Asks the child to end on the first call, and returns whether this call is the first. A stopped child would notice only once it
    /// continues.
    @discardableResult
    func stop(_ number: Int32) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return false }
        signal(number)
        signal(SIGCONT)
        return true
    }

    /// Waits until the child has ended, and leaves it as a zombie, which keeps its number.
    private func waitForEnd() {
        let number = state.withLock { $0.number }
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        ended.withLock { $0 = true }
    }

    /// Removes the ended child from the system; returns `nil` if its status went elsewhere.
    func reap() -> Command.ExitStatus? {
        state.withLock { state in
            state.isReaped = true
            var status: Int32 = 0
            while waitpid(state.number, &status, 0) != state.number {
                guard errno == EINTR else { return nil }
            }
            let detail = streams_status_number(status)
            return streams_was_signalled(status) != 0 ? .signal(detail) : .code(detail)
        }
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

private func withOptionalCString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let string else { return body(nil) }
    return string.withCString(body)
}
