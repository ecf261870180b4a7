import Foundation
import NetNodes
import TerminalViews

/// Standard output and standard error as plain text.
///
/// Lines are written by a queue of their own, so that a reader that does not read holds up nothing here; what it does not take in time
/// is left out, and a line says how much. A write that fails ends the program: well where the reader has gone, as `pulse | head` wants it,
/// as after a hangup where the terminal has gone, and otherwise with a line on standard error and `ExitCode.outputFailure`.
@MainActor
final class Console {
    /// Whether escape codes in the text would reach a terminal.
    let isTerminal: Bool
    private let output: TerminalOutput
    private var waiting = 0
    private var leftOut = 0
    private var hasFailed = false

    init() {
        isTerminal = isatty(STDOUT_FILENO) == 1
        output = TerminalOutput(descriptor: STDOUT_FILENO)
    }

    /// Prints a line, made safe where a terminal reads it. One that `isLasting` is never left out.
    func printLine(_ line: String, isLasting: Bool = false) {
        guard isLasting || waiting < Self.mostWaiting else { return leftOut += 1 }
        let note = leftOut > 0 ? "(\(leftOut) lines left out: they were not read in time)\n" : ""
        leftOut = 0
        send(note + TerminalText.sanitized(line) + "\n")
    }

    /// Prints text of many lines, made safe if a terminal reads it.
    func print(_ text: String) {
        send(isTerminal ? TerminalText.sanitizedLines(text) : text)
    }

    /// Prints bytes as they are, piece by piece as `next` makes them when the piece before was taken, until it makes nil.
    nonisolated func print(pieces next: @escaping @Sendable () -> [UInt8]?) {
        output.write(pieces: next) { [weak self] failure in self?.end(afterFailure: failure) }
    }

    /// Calls `done` when all that was printed so far has been read, or its reader is gone.
    func flush(then done: @escaping @MainActor @Sendable () -> Void) {
        output.write([]) { _ in done() }
    }

    /// One line on standard error. Waits for it at most a second: nobody may be reading.
    nonisolated static func printError(_ line: String) {
        TerminalOutput(descriptor: STDERR_FILENO).finish(with: Array((TerminalText.sanitized(line) + "\n").utf8), within: .seconds(1))
    }

    private func send(_ text: String) {
        send(Array(text.utf8))
    }

    private func send(_ bytes: [UInt8]) {
        waiting += 1
        output.write(bytes) { [weak self] failure in
            guard let self else { return }
            waiting -= 1
            if let failure { end(afterFailure: failure) }
        }
    }

    private func end(afterFailure code: Int32) {
        guard !hasFailed else { return }
        hasFailed = true
        MainLoop.stop(code: Self.exitCode(afterFailure: code))
    }

    /// Says what went wrong where somebody is left to be told.
    private static func exitCode(afterFailure code: Int32) -> Int32 {
        if code == EPIPE { return ExitCode.success }
        if code == EIO, isCharacterDevice { return ExitCode.signal(SIGHUP) }
        printError("pulse: standard output could not be written: \(String(cString: strerror(code)))")
        return ExitCode.outputFailure
    }

    /// A terminal that was hung up is none any more to `isatty`.
    private static var isCharacterDevice: Bool {
        var status = stat()
        return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

    private static let mostWaiting = 10_000
}
