import Foundation
import TerminalViews

/// The display of an endpoint: its row and its details.
struct EndpointEntry {
    let theme: Theme

    static let columns: [Table.Column] = [
        Table.Column("State", width: .fixed(7)),
        Table.Column("Endpoint", width: .fit, minimum: 17, preferred: 36, over: 3, truncation: .middle),
        Table.Column("Group", width: .fit, rank: 8, minimum: 8, truncation: .middle),
        Table.Column("Code", width: .fixed(4), alignment: .trailing, rank: 3),
        Table.Column("Latency", width: .fixed(8), alignment: .trailing, rank: 1),
        Table.Column("p50", width: .fixed(8), alignment: .trailing, rank: 7),
        Table.Column("p95", width: .fixed(8), alignment: .trailing, rank: 6),
        Table.Column("Uptime", width: .fixed(7), alignment: .trailing, rank: 4),
        Table.Column("Last minute", width: .flexible(minimum: 11), rank: 5),
        Table.Column("Last error", width: .fit, rank: 2, minimum: 18, preferred: 40, over: 5),
    ]

    /// Returns the columns. Those of groups and errors are left out if they would be empty: they would only take space from the names.
    static func columns(hasGroups: Bool, hasErrors: Bool) -> [Table.Column] {
        var columns = columns
        columns[2].isHidden = !hasGroups
        columns[9].isHidden = !hasErrors
        return columns
    }

    static let sortableColumns = [0, 1, 2, 4, 5, 6, 7]

    func entry(_ record: EndpointRecord, name: String, order: Int) -> Entry {
        let text = { (text: String) in Table.Value.text(StyledText(text)) }
        let latency = { (value: Double?) in text(value.map(Wording.milliseconds) ?? "-") }
        let key = { (value: Double?) in Entry.SortKey.number(value ?? .nan) }
        let last = record.last.map(\.latency.milliseconds)
        let group = record.target.group ?? ""
        let error = record.lastFailure?.reason ?? ""
        return Entry(
            id: record.target.id,
            values: [
                .text(state(record)), text(name), text(group), text(record.last?.status.map(String.init) ?? "-"), latency(last),
                latency(record.percentile(50)), latency(record.percentile(95)),
                text(record.uptime.map { Wording.number($0, places: 1) + " %" } ?? "-"),
                .sparkline(record.lastMinute, theme.accent), .text(errorText(error, isNow: record.last?.isUp == false)),
            ],
            sortKeys: [
                .number(record.last.map { $0.isUp ? 2 : 0 } ?? 1), .text(name), .text(group), key(record.last?.status.map(Double.init)),
                key(last), key(record.percentile(50)), key(record.percentile(95)), key(record.uptime), .number(Double(order)), .text(error),
            ],
            detail: EndpointDetail(theme: theme).detail(record, name: name)
        )
    }

    private func state(_ record: EndpointRecord) -> StyledText {
        switch record.last?.isUp {
        case true?: StyledText("● up", theme.good)
        case false?: StyledText("▼ down", theme.bad)
        case nil: StyledText("… wait", theme.faint)
        }
    }

    /// A current error is highlighted; a past one is not.
    private func errorText(_ error: String, isNow: Bool) -> StyledText {
        StyledText(error, isNow ? theme.bad : theme.faint)
    }

    /// Returns the name of each endpoint on the screen, by id: its own name, or its address, without `http://` and `https://` if the
    /// addresses still differ then.
    static func names(of targets: [WatchTarget]) -> [String: String] {
        let short = targets.map { $0.name ?? $0.id.withoutScheme }
        let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
        return Dictionary(zip(targets, short).map { ($0.id, counts[$1] == 1 ? $1 : $0.id) }) { first, _ in first }
    }
}

extension String {
    fileprivate var withoutScheme: String {
        let rest = ["http://", "https://"].first { hasPrefix($0) }.map { dropFirst($0.count) } ?? self[...]
        return String(rest.hasSuffix("/") && rest.count { $0 == "/" } == 1 ? rest.dropLast() : rest)
    }
}
