import Foundation
import TerminalViews

/// The heading of a watch: `8/9 up`, and the watched endpoints.
struct WatchHeading: Sendable {
    let options: WatchOptions
    let theme: Theme

    func content(_ board: WatchBoard) -> Content {
        Content(
            entries: board.entries, heading: text(board),
            columns: board.columns, notice: board.problem, isSettled: board.counts.waiting == 0)
    }

    func text(_ board: WatchBoard) -> StyledText {
        counts(board) + StyledText("  " + subject(board))
    }

    private func counts(_ board: WatchBoard) -> StyledText {
        let counts = board.counts
        guard counts.up + counts.down > 0 else { return StyledText("pulse", .bold) }
        let style = counts.down > 0 ? theme.bad : counts.waiting > 0 ? Style.bold : theme.good.with(.bold)
        let up = StyledText(" \(counts.up)/\(board.count) up ", style)
        return counts.waiting > 0 ? up + " \(counts.waiting) waiting" : up
    }

    private func subject(_ board: WatchBoard) -> String {
        if let file = options.replay {
            let time = board.now.map { "  \(Wording.time($0))" } ?? ""
            let places = options.speed == options.speed.rounded() ? 0 : 1
            let speed = options.speed == 1 ? "" : " ×\(Wording.number(options.speed, places: places))"
            return "replay\(speed)\(time)  \(file.lastPathComponent)"
        }
        if let address = options.view {
            return (board.now.map { "\(Wording.time($0))  " } ?? "") + address.title
        }
        let intervals = board.intervals
        let every = intervals.count == 1 ? intervals.first.map { "every \(Wording.seconds($0))" } ?? "" : "each at its own time"
        let isChecked = board.counts.up + board.counts.down > 0
        return isChecked ? every : "\(Wording.count(board.count, "endpoint")), \(every)"
    }
}

extension Wording {
    /// Returns `1 check`, `2 checks`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns the local date: `2026-11-22`.
    static func day(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let number = { (value: Int32) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(parts.tm_year + 1900)-\(number(parts.tm_mon + 1))-\(number(parts.tm_mday))"
    }
}
