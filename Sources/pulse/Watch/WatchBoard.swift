import Foundation
import TerminalViews

/// All endpoints of a watch, in the given order.
struct WatchBoard: Sendable {
    /// The record of an endpoint, and its display.
    private struct Row: Sendable {
        let record: EndpointRecord
        let entry: Entry
    }

    private let shape: EndpointEntry
    private var rows: [Boxed<Row>] = []
    private(set) var problem: String?
    private var places: [String: Int] = [:]
    private var names: [String: String] = [:]
    /// The time of the last event, which is the present for a recording.
    private(set) var now: Date?

    init(theme: Theme = .dark) {
        shape = EndpointEntry(theme: theme)
    }

    /// The number of endpoints.
    var count: Int { rows.count }
    var records: [EndpointRecord] { rows.map(\.value.record) }
    /// The row and the details of each record.
    var entries: [Entry] { rows.map(\.value.entry) }

    /// Returns the board after one more event. The record of an endpoint whose description did not change is kept.
    func applying(_ event: WatchEvent) -> WatchBoard {
        var next = self
        switch event {
        case .targets(let targets): next.watch(targets)
        case .check(let check): next.add(check)
        case .problem(let sentence): next.problem = sentence
        }
        return next
    }

    private mutating func watch(_ targets: [WatchTarget]) {
        let known = Dictionary(records.map { ($0.target.id, $0) }) { first, _ in first }
        places = Dictionary(targets.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        names = EndpointEntry.names(of: targets)
        rows = targets.enumerated().map { place, target in
            guard let record = known[target.id], record.target == target else { return row(EndpointRecord(target: target), at: place) }
            return row(record, at: place)
        }
    }

    private mutating func add(_ check: Check) {
        now = check.time
        if places[check.target.id] == nil { watch(records.map(\.target) + [check.target]) }
        guard let place = places[check.target.id] else { return }
        var record = rows[place].value.record
        record.add(check)
        rows[place] = row(record, at: place)
    }

    private func row(_ record: EndpointRecord, at place: Int) -> Boxed<Row> {
        Boxed(Row(record: record, entry: shape.entry(record, name: names[record.target.id] ?? "", order: place)))
    }

    /// The numbers of endpoints that are up, down and not yet checked.
    var counts: (up: Int, down: Int, waiting: Int) {
        rows.reduce(into: (0, 0, 0)) { counts, row in
            switch row.value.record.last?.isUp {
            case true?: counts.0 += 1
            case false?: counts.1 += 1
            case nil: counts.2 += 1
            }
        }
    }

    /// The columns. Those of groups and errors are present only if an endpoint belongs to a group, or a check has failed.
    var columns: [Table.Column] {
        EndpointEntry.columns(
            hasGroups: rows.contains { $0.value.record.target.group != nil },
            hasErrors: rows.contains { $0.value.record.lastFailure != nil })
    }

    /// The different times between two checks.
    var intervals: Set<Duration> { Set(rows.map(\.value.record.target.interval)) }
}

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
