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
    /// Returns `nil` unless standard error is a terminal that can rewrite a line.
    init?(name: String, offset: Int64) {
        guard Terminal.isTerminal(STDERR_FILENO) else { return nil }
        self.name = name
        rate.add(offset, at: .zero)
    }

    /// Shows the progress, unless the terminal has not taken the previous one yet.
    func show(_ progress: TransferEvent.Progress) {
        rate.add(progress.completed, at: ContinuousClock.now - start)
        guard !isWriting else { return }
        isWriting = true
        let line = ProgressText.line(name: name, progress, rate: rate.perSecond, width: width)
        output.write(Array((Self.lineStart + line).utf8)) { [weak self] _ in self?.isWriting = false }
    }

    /// Replaces the progress by the size of the file, and the number of bytes that were received of it.
    func finish(bytes: Int64, received: Int64) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        end(ProgressText.summary(name: name, bytes: bytes, received: received, seconds: seconds, width: width) + "\n")
    }

    /// Removes the line. Waits at most a quarter of a second for the terminal.
    func clear() { end("") }

    private func end(_ text: String) {
        output.finish(with: Array((Self.lineStart + text).utf8), within: .milliseconds(250))
    }

    /// The width: one column less than the terminal, because a full line would wrap.
    private var width: Int {
        var window = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 79 }
        return Int(window.ws_col) - 1
    }

    /// Moves to the first column and empties the line.
    private static let lineStart = "\r\u{1B}[K"
}

/// The progress of a download in one line.
enum ProgressText {
    /// `file.bin  12.3 MB of 50.0 MB  24 %  4.5 MB/s  8 s left`, with the name clipped to the width.
    static func line(name: String, _ progress: TransferEvent.Progress, rate: Double?, width: Int) -> String {
        fit(name, facts(progress, rate).joined(separator: "  "), width)
    }

    /// Returns `file.bin  50.0 MB in 12 s`, with tenths for the first seconds, or, for a continued download, `file.bin  50.0 MB, 12.3 MB of
    /// them in 3.2 s`.
    static func summary(name: String, bytes: Int64, received: Int64, seconds: Double, width: Int) -> String {
        let time = seconds < 10 ? "\(Wording.number(seconds, places: 1)) s" : Wording.elapsed(seconds)
        let amount = received == bytes ? Wording.bytes(bytes) : "\(Wording.bytes(bytes)), \(Wording.bytes(received)) of them"
        return fit(name, "\(amount) in \(time)", width)
    }

    private static func facts(_ progress: TransferEvent.Progress, _ rate: Double?) -> [String] {
        let speed = rate.map { "\(Wording.bytes(Int64($0)))/s" }
        guard let total = progress.total, let fraction = progress.fraction else {
            return [Wording.bytes(progress.completed), speed].compactMap(\.self)
        }
        // 100 % is printed only when nothing is missing.
        let amounts = ["\(Wording.bytes(progress.completed)) of \(Wording.bytes(total))", "\(Int(fraction * 100)) %"]
        guard let rate, let speed, rate > 0, total > progress.completed else { return amounts + [speed].compactMap(\.self) }
        return amounts + [speed, "\(Wording.elapsed((Double(total - progress.completed) / rate).rounded(.up))) left"]
    }

    private static func fit(_ name: String, _ facts: String, _ width: Int) -> String {
        let room = width - TerminalText.width(of: facts) - 2
        guard room >= 4 else { return TerminalText.clipped(facts, to: max(0, width)) }
        return TerminalText.clipped(TerminalText.sanitized(name), to: room) + "  " + facts
    }
}

/// The rate of a download over its last seconds.
struct DownloadRate {
    private var samples: [(time: Duration, bytes: Int64)] = []

    /// Adds the number of bytes received up to a time. Stores one sample for each tenth of the window. A download that starts again has
    /// fewer bytes than before.
    mutating func add(_ bytes: Int64, at time: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, time - samples[samples.count - 2].time < Self.window / 10 { samples.removeLast() }
        samples.append((time, bytes))
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// The bytes per second; `nil` while they are unknown.
    var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= .milliseconds(100) else { return nil }
        return Double(last.bytes - first.bytes) / ((last.time - first.time) / .seconds(1))
    }

    private static let window = Duration.seconds(5)
}
