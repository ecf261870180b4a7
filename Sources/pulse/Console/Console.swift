import Foundation
import NetNodes
import TerminalViews

/// Standard output and standard error as plain text.
///
/// Lines are written by a queue of their own, so that a reader that does not read holds up nothing here; what it does not take in time
/// is left out, and a line says how much. When the reader is gone, `onClosed` runs once, on the main actor.
@MainActor
final class Console {
    /// Whether escape codes in the text would reach a terminal.
    let isTerminal: Bool
    private let output: TerminalOutput
    private var onClosed: (@MainActor @Sendable () -> Void)?
    private var waiting = 0
    private var leftOut = 0

    /// By default the program ends well when nobody reads any more, as `pulse | head` wants it.
    init(onClosed: @escaping @MainActor @Sendable () -> Void = { MainLoop.stop(code: ExitCode.success) }) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        output = TerminalOutput(descriptor: STDOUT_FILENO)
        self.onClosed = onClosed
    }

    /// Prints a line, made safe where a terminal reads it.
    func printLine(_ line: String) {
        guard waiting < Self.mostWaiting else { return leftOut += 1 }
        let note = leftOut > 0 ? "(\(leftOut) lines left out: they were not read in time)\n" : ""
        leftOut = 0
        send(note + TerminalText.sanitized(line) + "\n")
    }

    /// Prints text of many lines, made safe if a terminal reads it.
    func print(_ text: String) {
        send(isTerminal ? TerminalText.sanitizedLines(text) : text)
    }

    /// Prints bytes as they are; not for a terminal.
    func print(_ bytes: Data) {
        send(Array(bytes))
    }

    /// Calls `done` when all that was printed so far has been read, or its reader is gone.
    func flush(then done: @escaping @MainActor @Sendable () -> Void) {
        output.write([]) { _ in done() }
    }

    /// One line on standard error.
    nonisolated static func printError(_ line: String) {
        FileHandle.standardError.write(Data((TerminalText.sanitized(line) + "\n").utf8))
    }

    private func send(_ text: String) {
        send(Array(text.utf8))
    }

    private func send(_ bytes: [UInt8]) {
        waiting += 1
        output.write(bytes) { [weak self] failure in
            guard let self else { return }
            waiting -= 1
            guard failure != nil else { return }
            onClosed?()
            onClosed = nil
        }
    }

    private static let mostWaiting = 10_000
}
