import NetNodes
import StreamsInspector
import TerminalViews

/// The growth since a snapshot, by operator and line: a leak grows.
final class InspectGrowth: Sendable {
    private typealias Change = InspectorSnapshot.Difference.Change

    private let snapshot: InspectorSnapshot
    private let mark: InspectorSnapshot
    private let changes: [InspectorSnapshot.Difference.Change]
    private let theme: Theme
    private let version: Int

    init(_ snapshot: InspectorSnapshot, since mark: InspectorSnapshot, theme: Theme, version: Int) {
        (self.snapshot, self.mark, self.theme, self.version) = (snapshot, mark, theme, version)
        changes = snapshot.difference(from: mark).changes.filter { $0.after > $0.before }
    }

    var isEmpty: Bool { changes.isEmpty }

    var heading: StyledText {
        let count = changes.reduce(0) { $0 + $1.after - $1.before }
        let since = "since the mark, \(Wording.elapsed(snapshot.time - mark.time)) ago"
        let grew = count == 0 ? "nothing grew" : "\(Wording.count(count, "operator")) more"
        return StyledText(snapshot.program, .bold) + StyledText(" \(snapshot.process)  ")
            + StyledText(grew, count == 0 ? theme.good : theme.warning) + StyledText(" \(since)")
    }

    func entries(_ query: Query) -> [Entry] {
        let words = query.filter.lowercased().split(separator: " ")
        let found = changes.filter { change in
            let text = "\(change.operatorName) \(change.place?.description ?? "")".lowercased()
            return words.allSatisfy(text.contains)
        }
        return sorted(found, query.sorting).map { change in
            Entry(
                row: Table.Row(id: "\(change.operatorName) \(change.place?.description ?? "")", version: version) { self.values(change) },
                detail: { self.detail(change) })
        }
    }

    /// Sorts the changes: the greatest growth is first, unless the order of another column is requested.
    private func sorted(_ changes: [InspectorSnapshot.Difference.Change], _ sorting: Table.Sorting) -> [InspectorSnapshot.Difference.Change]
    {
        let key: (Change) -> Double =
            switch InspectColumn(rawValue: sorting.column) {
            case .elements: { Double($0.after) }
            case .rate: { $0.rate }
            case .queue: { Double($0.before) }
            default: { Double($0.before - $0.after) }
            }
        let keys = changes.map(key)
        let order = changes.indices.sorted { left, right in
            guard keys[left] != keys[right] else { return left < right }
            return sorting.isAscending ? keys[left] < keys[right] : keys[right] < keys[left]
        }
        return order.map { changes[$0] }
    }

    private func values(_ change: InspectorSnapshot.Difference.Change) -> [Table.Value] {
        let text = { (text: String) in Table.Value.text(StyledText(text)) }
        return [
            text(change.operatorName), .text(StyledText("+\(change.after - change.before)", theme.warning)), text("\(change.after)"),
            text(Wording.rate(change.rate)), text("\(change.before)"), "", "", "",
            .text(StyledText(change.place?.short ?? "", theme.faint)),
        ]
    }

    private func detail(_ change: InspectorSnapshot.Difference.Change) -> Entry.Detail {
        let nodes = snapshot.nodes.filter { $0.operatorName == change.operatorName && $0.place == change.place }
        let known = Set(mark.nodes.map(\.id))
        let new = nodes.filter { !known.contains($0.id) }
        let forest = InspectForest(snapshot.nodes)
        let places = Dictionary(snapshot.nodes.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        let retainers = new.prefix(Self.mostNodes).compactMap { node in
            places[node.id].flatMap { forest.path(from: $0).last }.flatMap { forest.nodes[$0].retainer }
        }
        let kept = Dictionary(grouping: retainers) { $0 }.sorted { ($1.value.count, $0.key.rawValue) < ($0.value.count, $1.key.rawValue) }
        let lines =
            ["\(change.before) at the mark, \(change.after) now, \(Wording.rate(change.rate)) elements per second"]
            + kept.map { "\($1.count) kept by \($0.sentence)" } + new.prefix(Self.shownNodes).map(Self.line)
        return Entry.Detail(
            title: StyledText(change.operatorName, .bold) + StyledText(change.place.map { "  \($0)" } ?? "", theme.faint),
            facts: StyledText(lines.joined(separator: "\n")),
            chart: Entry.Chart(points: [], axis: Chart.Axis(0...1), unit: .rate))
    }

    private static func line(_ node: InspectorSnapshot.Node) -> String {
        "number \(node.id): \(node.status), \(Wording.elapsed(node.age)) old, \(Wording.count(Int(node.elements), "element"))"
    }

    private static let mostNodes = 1_000
    private static let shownNodes = 10
}
