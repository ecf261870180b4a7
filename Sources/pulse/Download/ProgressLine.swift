import Foundation
import NetNodes
import TerminalViews

/// The line on standard error that shows a download's progress.
@MainActor
final class ProgressLine {
    private let name: String
    private let output = TerminalOutput(descriptor: STDERR_FILENO)
    private let start = ContinuousClock.now
    private var rate = DownloadRate()
    private var isWriting = false

    /// - Parameter offset: the number of bytes that an earlier download has received.
    ///
    /// `nil` unless standard error is a terminal that can rewrite a line.
    init?(name: String, offset: Int64) {
        guard Terminal.isTerminal(STDERR_FILENO) else { return nil }
        self.name = name
        rate.add(offset, at: .zero)
    }

    /// Shows the progress, unless the terminal has not taken the last one yet.
    func show(_ progress: TransferProgress) {
        rate.add(progress.completed, at: ContinuousClock.now - start)
        guard !isWriting else { return }
        isWriting = true
        let line = ProgressText.line(name: name, progress, rate: rate.perSecond, width: width)
        output.write(Array((Self.lineStart + line).utf8)) { [weak self] _ in self?.isWriting = false }
    }

    /// Replaces the progress by what was downloaded.
    func finish(bytes: Int64) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        end(ProgressText.summary(name: name, bytes: bytes, seconds: seconds, width: width) + "\n")
    }

    /// Removes the line. Waits at most a quarter of a second for the terminal.
    func clear() { end("") }

    private func end(_ text: String) {
        output.finish(with: Array((Self.lineStart + text).utf8), within: .milliseconds(250))
    }

    /// One column less than the terminal: a full line would wrap.
    private var width: Int {
        var window = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 79 }
        return Int(window.ws_col) - 1
    }

    /// To the first column, and the line emptied.
    private static let lineStart = "\r\u{1B}[K"
}
