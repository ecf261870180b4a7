import NetNodes
import TerminalViews

/// The progress of a download in one line.
enum ProgressText {
    /// `file.bin  12.3 MB of 50.0 MB  24 %  4.5 MB/s  8 s left`, with the name clipped to the width.
    static func line(name: String, _ progress: TransferProgress, rate: Double?, width: Int) -> String {
        fit(name, facts(progress, rate).joined(separator: "  "), width)
    }

    /// `file.bin  50.0 MB in 12 s`, and tenths of the first seconds.
    static func summary(name: String, bytes: Int64, seconds: Double, width: Int) -> String {
        let time = seconds < 10 ? "\(Wording.number(seconds, places: 1)) s" : Wording.elapsed(seconds)
        return fit(name, "\(Wording.bytes(bytes)) in \(time)", width)
    }

    private static func facts(_ progress: TransferProgress, _ rate: Double?) -> [String] {
        let speed = rate.map { "\(Wording.bytes(Int64($0)))/s" }
        guard let total = progress.total, let fraction = progress.fraction else {
            return [Wording.bytes(progress.completed), speed].compactMap(\.self)
        }
        // 100 % is said only when nothing is missing.
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
