import Foundation
import TerminalViews

/// All endpoints of a watch, in command-line order.
struct WatchBoard: Sendable, Equatable {
    private(set) var records: [EndpointRecord]

    init(endpoints: [URL]) {
        records = endpoints.map(EndpointRecord.init)
    }

    /// Returns the board with one more check.
    func adding(_ check: Check) -> WatchBoard {
        var next = self
        for index in records.indices where records[index].endpoint == check.endpoint {
            next.records[index] = records[index].adding(check)
        }
        return next
    }

    static let columns: [Table.Column] = [
        Table.Column("State", width: .fixed(7)), Table.Column("Endpoint", width: .flexible(weight: 3, minimum: 12, maximum: 60)),
        Table.Column("Code", width: .fixed(6), alignment: .trailing), Table.Column("Last", width: .fixed(8), alignment: .trailing),
        Table.Column("p50", width: .fixed(8), alignment: .trailing), Table.Column("p95", width: .fixed(8), alignment: .trailing),
        Table.Column("Up %", width: .fixed(6), alignment: .trailing), Table.Column("Latency", width: .flexible(weight: 2, maximum: 60)),
        Table.Column("Last error", width: .flexible(weight: 2)),
    ]
    static let sortableColumns = [1, 0, 3, 4, 5, 6]

    var entries: [Entry] { records.enumerated().map { Self.entry($1, number: $0) } }

    private static func entry(_ record: EndpointRecord, number: Int) -> Entry {
        let address = record.endpoint.redactedDescription
        let latency = { (value: Double?) in Table.Value.text(StyledText(value.map(Wording.milliseconds) ?? "-")) }
        let key = { (value: Double?) in Entry.SortKey.number(value ?? .nan) }
        let last = record.last.map(\.latency.milliseconds)
        let uptime = record.uptime.map { Wording.number($0, places: 1) } ?? "-"
        return Entry(
            id: "\(number) \(address)",
            values: [
                .text(state(record)), .text(StyledText(address.withoutScheme)),
                .text(StyledText(record.last?.status.map(String.init) ?? "-")),
                latency(last), latency(record.percentile(50)), latency(record.percentile(95)), .text(StyledText(uptime)),
                .sparkline(record.latencies, Style(.cyan)), .text(StyledText(record.lastFailure?.reason ?? "", .dim)),
            ],
            sortKeys: [
                .number(record.last.map { $0.isUp ? 1 : 0 } ?? 2), .text(address), key(record.last?.status.map(Double.init)), key(last),
                key(record.percentile(50)), key(record.percentile(95)), key(record.uptime), .text(""),
                .text(record.lastFailure?.reason ?? ""),
            ],
            detail: detail(record, address: address)
        )
    }

    private static func state(_ record: EndpointRecord) -> StyledText {
        switch record.last?.isUp {
        case true?: StyledText("● up", Style(.green))
        case false?: StyledText("▼ down", Style(.red).with(.bold))
        case nil: StyledText("… wait", .dim)
        }
    }

    private static func detail(_ record: EndpointRecord, address: String) -> Entry.Detail {
        let name = { (text: String) in StyledText(TerminalText.padded(text, to: 10), .dim) }
        var facts = name("checks") + "\(record.checks), \(record.failures) failed"
        if let last = record.last, let since = record.since {
            let state = last.isUp ? "up" : "down"
            facts += "\n" + name("state") + "\(state) since \(Wording.time(since)), \(Wording.elapsed(last.time.timeIntervalSince(since)))"
            facts += "\n" + name("last") + "\(Wording.milliseconds(last.latency.milliseconds)) at \(Wording.time(last.time))"
        }
        if let middle = record.percentile(50), let slow = record.percentile(95) {
            facts += "\n" + name("latency") + "p50 \(Wording.milliseconds(middle)), p95 \(Wording.milliseconds(slow))"
        }
        if let failure = record.lastFailure {
            facts += "\n" + name("error") + StyledText("\(failure.reason ?? "") (\(Wording.time(failure.time)))", Style(.red))
        }
        return Entry.Detail(title: StyledText(address, .bold), facts: facts, history: record.latencies, historyStyle: Style(.cyan))
    }
}

extension String {
    fileprivate var withoutScheme: String { hasPrefix("http://") ? String(dropFirst(7)) : self }
}
