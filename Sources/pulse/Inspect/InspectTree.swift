import NetNodes
import StreamsInspector
import TerminalViews

/// The rows of the tree and the details of its nodes; each is made when it is shown.
struct InspectTree: Sendable {
    let board: InspectBoard
    let theme: Theme

    private var forest: InspectForest { board.forest.value }

    func entries(_ query: Query) -> [Entry] {
        let isFiltered = query.filter.contains { $0 != " " }
        return forest.visible(query, collapsed: board.collapsed).map { index in
            Entry(
                row: Table.Row(id: "\(forest.nodes[index].id)", version: board.version) { values(index, isFiltered: isFiltered) },
                detail: { InspectDetail(board: board, theme: theme).detail(index) })
        }
    }

    private func values(_ index: Int, isFiltered: Bool) -> [Table.Value] {
        let node = forest.nodes[index]
        let text = { (text: String, style: Style) in Table.Value.text(StyledText(text, style)) }
        guard node.object == nil else { return object(node, index, isFiltered: isFiltered) }
        return [
            .text(indented(index, isFiltered: isFiltered)), text(node.id == board.ended ? "ended" : node.status, style(of: node)),
            text(Wording.compact(Double(node.elements)), .plain), text(Wording.rate(node.rate), node.rate > 0 ? .plain : theme.faint),
            .text(queue(node)), text(node.errors > 0 ? Wording.compact(Double(node.errors)) : "", theme.bad),
            text(node.lastEvent.map { Wording.elapsed($0.age) } ?? "never", node.lastEvent == nil ? theme.faint : .plain),
            text(Wording.elapsed(node.age), .plain), text(node.place?.short ?? "", theme.faint),
        ]
    }

    /// Returns the row of an object, through which nothing passes.
    private func object(_ node: InspectorSnapshot.Node, _ index: Int, isFiltered: Bool) -> [Table.Value] {
        let text = { (text: String) in Table.Value.text(StyledText(text, theme.faint)) }
        return [.text(indented(index, isFiltered: isFiltered)), text(node.id == board.ended ? "ended" : node.status)]
            + [Table.Value](repeating: "", count: 5) + [text(Wording.elapsed(node.age)), text(node.place?.short ?? "")]
    }

    /// Returns the operator, indented by the depth of its downstream; for a great depth, a number states it.
    private func indented(_ index: Int, isFiltered: Bool) -> StyledText {
        let depth = forest.depths[index]
        let isCollapsed = !isFiltered && board.collapsed.contains(forest.nodes[index].id)
        let sign = forest.upstreams(of: index).isEmpty ? "· " : isCollapsed ? "▸ " : "▾ "
        let indent = depth > Self.deepest ? "\(depth) " : String(repeating: " ", count: depth)
        return StyledText(indent + sign, theme.faint) + StyledText(forest.nodes[index].title)
    }

    private func style(of node: InspectorSnapshot.Node) -> Style {
        switch node.status {
        case "suspended": theme.warning
        case "unlinked", "waiting": theme.bad
        case "active": node.rate > 0 ? theme.good : .plain
        default: theme.faint
        }
    }

    private func queue(_ node: InspectorSnapshot.Node) -> StyledText {
        guard let queue = node.fullestQueue else { return "" }
        return StyledText(
            queue.text, queue.fill >= 1 ? theme.bad : queue.fill >= 0.5 ? theme.warning : queue.count == 0 ? theme.faint : .plain)
    }

    private static let deepest = 16
}
