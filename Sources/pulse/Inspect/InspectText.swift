import NetNodes
import StreamsInspector
import TerminalViews

/// The tree of `--once` as lines of text, each column as wide as its content.
struct InspectText {
    private let snapshot: InspectorSnapshot
    private let forest: InspectForest

    /// - Parameter isWhole: whether operators are shown, too, that the package built inside those of the program.
    init(_ snapshot: InspectorSnapshot, isWhole: Bool = false) {
        self.snapshot = isWhole ? snapshot : snapshot.ofProgram
        forest = InspectForest(self.snapshot.nodes)
    }

    var lines: [String] {
        [heading] + (forest.nodes.isEmpty ? [] : table) + notices
    }

    private var notices: [String] {
        let notices = reasons + findings
        return notices.isEmpty && !forest.nodes.isEmpty ? ["", "Nothing stands out."] : notices
    }

    private var heading: String {
        let unseen = snapshot.totals.hidden + (snapshot.totals.outside ?? 0)
        let hidden = unseen > 0 ? ", \(unseen) more not shown" : ""
        return "\(snapshot.program) \(snapshot.process): \(Wording.count(snapshot.roots.count, "chain")), "
            + "\(forest.counts)\(hidden)"
    }

    private var table: [String] {
        let titles = ["OPERATOR", "STATE", "ELEMENTS", "RATE", "QUEUE", "ERRORS", "LAST", "AGE", "PLACE"]
        let rows = [titles] + groups.map { $0.count > Self.mostEqual ? summary(of: $0) : row($0[0]) }
        let widths = titles.indices.map { column in rows.reduce(0) { max($0, TerminalText.width(of: $1[column])) } }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                TerminalText.padded(cell.0, to: cell.1, alignment: (2...7).contains(column) ? .trailing : .leading)
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The rows in groups: many rows that differ only in figures become one.
    private var groups: [[Int]] {
        var groups: [[Int]] = []
        for index in forest.visible(Query(), collapsed: []) {
            if let first = groups.last?[0], isEqual(first, index) {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        return groups.flatMap { $0.count > Self.mostEqual ? [$0] : $0.map { [$0] } }
    }

    /// Whether both are upstreams of one operator, built by one line, without upstreams, and in the same state.
    private func isEqual(_ first: Int, _ second: Int) -> Bool {
        let (left, right) = (forest.nodes[first], forest.nodes[second])
        return left.title == right.title && left.place == right.place && left.status == right.status && left.object == right.object
            && forest.parent(of: first) == forest.parent(of: second) && forest.upstreams(of: first).isEmpty
            && forest.upstreams(of: second).isEmpty
    }

    private func summary(of group: [Int]) -> [String] {
        let nodes = group.map { forest.nodes[$0] }
        var cells = row(group[0])
        let indent = cells[0].prefix { $0 == " " }
        let errors = nodes.reduce(0) { $0 + $1.errors }
        cells[0] = "\(indent)\(nodes.count) × \(nodes[0].title)"
        cells[2] = "\(nodes.reduce(0) { $0 + $1.elements })"
        cells[3] = Wording.rate(nodes.reduce(0) { $0 + $1.rate })
        cells[5] = errors > 0 ? "\(errors)" : ""
        cells[6] = nodes.compactMap { $0.lastEvent?.age }.min().map(Wording.elapsed) ?? "never"
        return cells
    }

    private func row(_ index: Int) -> [String] {
        let node = forest.nodes[index]
        let depth = forest.depths[index]
        let indent =
            depth > Self.deepest ? String(repeating: "  ", count: Self.deepest) + "\(depth) " : String(repeating: "  ", count: depth)
        guard node.object == nil else {
            return [indent + node.title, node.status, "", "", "", "", "", Wording.elapsed(node.age), node.place?.description ?? ""]
        }
        return [
            indent + node.title, node.status, "\(node.elements)", Wording.rate(node.rate), node.fullestQueue?.text ?? "",
            node.errors > 0 ? "\(node.errors)" : "", node.lastEvent.map { Wording.elapsed($0.age) } ?? "never", Wording.elapsed(node.age),
            node.place?.description ?? "",
        ]
    }

    /// The reasons why nothing arrives from the silent chains, if there is more to say than that a source has no elements.
    private var reasons: [String] { section("Why nothing arrives", forest.causes) }

    private var findings: [String] { section("What stands out", InspectFindings(forest).sentences) }

    private func section(_ title: String, _ sentences: [String]) -> [String] {
        sentences.isEmpty ? [] : ["", "\(title):"] + sentences.map { "  \($0)" }
    }

    private static let deepest = 16
    private static let mostEqual = 4
}
