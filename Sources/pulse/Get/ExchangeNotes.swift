import Foundation
import NetNodes
import TerminalViews

/// What is shown of an exchange besides its body: the heads of `--include`, the lines of `--verbose`, the waterfall of `--timing`.
final class ExchangeNotes: Sendable {
    private let display: DisplayOptions
    private let head: HeadText
    private let verbose: VerboseText
    private let received = Lock((lines: [String](), isInHead: false))

    init(_ display: DisplayOptions, isTerminal: Bool) {
        self.display = display
        head = HeadText(palette: display.layout == .raw ? .none : Palette(for: STDOUT_FILENO), isTerminal: isTerminal)
        verbose = VerboseText(palette: Palette(for: STDERR_FILENO), showsSecrets: display.showsSecrets)
    }

    /// Whether a connection must be traced for them.
    var needTrace: Bool { display.isVerbose || display.includesHead }

    /// Forgets the heads of an earlier attempt.
    func begin() {
        received.withLock { $0 = ([], false) }
    }

    /// Returns the line for standard error; the lines of heads are collected.
    func note(_ trace: TransferTrace) -> String? {
        if case .receivedHeader(let line) = trace, display.includesHead { collect(line) }
        return display.isVerbose ? verbose.line(trace) : nil
    }

    /// Takes the heads that were received, as text for standard output.
    func takeHeads() -> String {
        received.withLock { received in
            defer { received.lines = [] }
            return received.lines.map(head.line).joined()
        }
    }

    /// Returns the lines for standard error about a complete transfer.
    func lines(after metrics: TransferMetrics) -> [String] {
        let summary = display.isVerbose ? [verbose.summary(metrics)] : []
        guard display.showsTiming else { return summary }
        // Apart from a body that stands above it.
        let gap = isatty(STDOUT_FILENO) == 1 ? [""] : []
        return summary + gap
            + Waterfall(palette: Palette(for: STDERR_FILENO), width: Console.errorWidth, isASCII: !Console.showsUnicode).lines(metrics)
    }

    /// Trailers, which follow the body, are no part of a head.
    private func collect(_ line: String) {
        received.withLock { received in
            if line.hasPrefix("HTTP/") { received.isInHead = true }
            guard received.isInHead else { return }
            received.lines.append(line)
            received.isInHead = !line.isEmpty
        }
    }
}
