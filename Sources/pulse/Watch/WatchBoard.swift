import Foundation
import TerminalViews

/// All endpoints of a watch, in the order in which they were given.
struct WatchBoard: Sendable {
    private let rows: EndpointEntry
    private var boxedRecords: [Boxed<EndpointRecord>] = []
    /// The row and the details of each record.
    private(set) var entries: [Entry] = []
    private(set) var problem: String?
    var records: [EndpointRecord] { boxedRecords.map(\.value) }
    private var places: [String: Int] = [:]
    private var names: [String: String] = [:]
    /// The time of the last event, which is the present of a recording.
    private(set) var now: Date?

    init(theme: Theme = .dark) {
        rows = EndpointEntry(theme: theme)
    }

    /// Returns the board after one more event. What is known of an endpoint whose description did not change is kept.
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
        boxedRecords = targets.map { target in
            guard let record = known[target.id], record.target == target else { return Boxed(EndpointRecord(target: target)) }
            return Boxed(record)
        }
        places = Dictionary(targets.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        names = EndpointEntry.names(of: targets)
        entries = records.enumerated().map { rows.entry($1, name: names[$1.target.id] ?? "", order: $0) }
    }

    private mutating func add(_ check: Check) {
        now = check.time
        if places[check.target.id] == nil { watch(records.map(\.target) + [check.target]) }
        guard let place = places[check.target.id] else { return }
        var record = boxedRecords[place].value
        record.add(check)
        boxedRecords[place] = Boxed(record)
        entries[place] = rows.entry(record, name: names[check.target.id] ?? "", order: place)
    }

    /// How many endpoints are up, down and not yet checked.
    var counts: (up: Int, down: Int, waiting: Int) {
        boxedRecords.reduce(into: (0, 0, 0)) { counts, record in
            switch record.value.last?.isUp {
            case true?: counts.0 += 1
            case false?: counts.1 += 1
            case nil: counts.2 += 1
            }
        }
    }

    /// Whether any endpoint belongs to a group.
    var hasGroups: Bool { boxedRecords.contains { $0.value.target.group != nil } }

    /// The different times between two checks.
    var intervals: Set<Duration> { Set(boxedRecords.map(\.value.target.interval)) }
}
