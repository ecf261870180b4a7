import NetNodes
import StreamsInspector
import TerminalViews

/// The details of a node: why no elements arrive, its figures, and what keeps it alive.
struct InspectDetail: Sendable {
    private typealias Node = InspectorSnapshot.Node

    let board: InspectBoard
    let theme: Theme

    private var forest: InspectForest { board.forest.value }

    /// Returns the details. O(nodes of the kept snapshots).
    func detail(_ index: Int) -> Entry.Detail {
        let node = forest.nodes[index]
        let states = board.history.map { $0.value.node(node.id) }
        return Entry.Detail(
            title: StyledText(node.title, .bold) + StyledText(node.place.map { "  \($0)" } ?? "", theme.faint),
            facts: facts(node, index, states), chart: chart(states),
            pages: [Entry.Page(title: "Downstream", text: downstream(index))])
    }

    /// Returns the facts, one on each line; the decisive ones come first.
    private func facts(_ node: Node, _ index: Int, _ states: [Node?]) -> StyledText {
        let lines = [
            marbles(states), reason(index), state(node), node.object == nil ? elements(node) : nil, queues(node), timers(node),
            limiter(node), errors(node), sharing(node), retainer(index), node.lastElement.map { fact("element", StyledText($0)) },
        ]
        return lines.compactMap(\.self).reduce("") { $0.spans.isEmpty ? $1 : $0 + "\n" + $1 }
    }

    private func fact(_ name: String, _ value: StyledText) -> StyledText {
        StyledText(TerminalText.padded(name, to: 9), theme.faint) + value
    }

    private func marbles(_ states: [Node?]) -> StyledText? {
        let line = MarbleLine(Array(states.suffix(Self.longestLine + 1)))
        guard !line.text.isEmpty else { return nil }
        let count = line.lastCount > 0 ? StyledText("  \(Wording.compact(Double(line.lastCount)))", theme.faint) : ""
        return fact("marbles", StyledText(line.text, theme.accent) + count)
    }

    /// Returns the reason why no elements arrive, if none do.
    private func reason(_ index: Int) -> StyledText? {
        guard forest.nodes[index].id != board.ended, let sentence = forest.silence(of: index) else { return nil }
        return fact("silent", StyledText(sentence, theme.warning))
    }

    private func state(_ node: Node) -> StyledText {
        let name = node.id == board.ended ? "ended" : node.status
        let since = node.suspension.map { " for \(Wording.elapsed($0.age))" } ?? ""
        return fact("state", StyledText("\(name)\(since), started \(Wording.elapsed(node.age)) ago, number \(node.id)"))
    }

    private func elements(_ node: Node) -> StyledText {
        let last = node.lastEvent.map { ", last \(Wording.elapsed($0.age)) ago on \($0.thread.isEmpty ? "a thread" : $0.thread)" } ?? ""
        let mean = node.handlingTime * 1_000 / Double(max(1, node.elements))
        let handled = mean >= 1 ? ", each handled in \(Wording.milliseconds(mean))" : ""
        let busy = node.busy.map { ", the last since \(Wording.milliseconds($0 * 1_000))" } ?? ""
        return fact("elements", StyledText("\(node.elements), \(Wording.rate(node.rate)) per second\(last)\(handled)\(busy)"))
    }

    private func queues(_ node: Node) -> StyledText? {
        guard !node.queues.isEmpty else { return nil }
        let texts = node.queues.map { queue in
            "\(queue.count)\(queue.bound.map { " of \($0)" } ?? "") \(queue.name)\(queue.bound == nil ? ", unbounded" : "")"
        }
        return fact("queue", StyledText(texts.joined(separator: "; ")))
    }

    private func timers(_ node: Node) -> StyledText? {
        guard !node.timers.isEmpty else { return nil }
        let texts = node.timers.sorted().map { $0 < 0 ? "late by \(Wording.elapsed(-$0))" : "due in \(Wording.elapsed($0))" }
        return fact("timer", StyledText(texts.joined(separator: "; ")))
    }

    private func limiter(_ node: Node) -> StyledText? {
        guard let limiter = node.limiter else { return nil }
        let state = limiter.isWaiting ? StyledText("waits for ", theme.bad) : ""
        return fact("limiter", state + StyledText("\(limiter.kind) \(limiter.id): \(limiter.figures)"))
    }

    private func errors(_ node: Node) -> StyledText? {
        guard node.errors > 0 || node.starts > 1 else { return nil }
        let counts = "\(node.errors) of \(Wording.count(node.starts, "upstream")) failed"
        return fact("errors", StyledText(counts) + (node.lastError.map { StyledText("; last: \($0)", theme.bad) } ?? ""))
    }

    private func sharing(_ node: Node) -> StyledText? {
        guard let sharing = node.sharing else { return nil }
        let connection = sharing.isConnected ? StyledText("connected to its source") : StyledText("not connected to its source", theme.bad)
        return fact("shared", connection + ", \(Wording.count(sharing.subscribers, "subscriber")) of stream \(sharing.id)")
    }

    /// Names the object that keeps the node alive: the retainer of the complete chain.
    private func retainer(_ index: Int) -> StyledText? {
        guard let root = forest.path(from: index).last, let retainer = forest.nodes[root].retainer else { return nil }
        let through = root == index ? "" : ", through `\(forest.nodes[root].title)`"
        return fact("kept by", StyledText(retainer.sentence + through))
    }

    private func downstream(_ index: Int) -> StyledText {
        let path = forest.path(from: index)
        let lines = path.prefix(Self.longestPath).map { index in
            let node = forest.nodes[index]
            return StyledText(node.title)
                + StyledText("  \(node.status), \(node.elements) elements  \(node.place?.description ?? "")", theme.faint)
        }
        let rest = path.count - lines.count
        let text = lines.reduce(StyledText("")) { $0.spans.isEmpty ? $1 : $0 + "\n" + $1 }
        return rest > 0 ? text + StyledText("\nand \(rest) more", theme.faint) : text
    }

    private func chart(_ states: [Node?]) -> Entry.Chart {
        let now = board.snapshot?.time ?? 0
        let points = zip(board.history, states).compactMap { snapshot, node in
            node.map { Chart.Point(x: snapshot.value.time - now, y: $0.rate) }
        }
        let isQuiet = points.allSatisfy { $0.y == 0 }
        let age = points.first.map { -$0.x } ?? 0
        let minutes = age <= 60 ? 1.0 : 2.0
        let axis = Chart.Axis(-60 * minutes...0, from: "\(Wording.count(Int(minutes), "minute")) ago", to: "now")
        return Entry.Chart(points: isQuiet ? [] : points, axis: axis, hold: 5, baseline: 0, unit: .rate, style: theme.accent)
    }

    private static let longestLine = 40
    private static let longestPath = 200
}

extension InspectorSnapshot.Node.Retainer {
    var sentence: String {
        switch self {
        case .bag: "a DisposeBag"
        case .task: "a task that reads `values`"
        case .connection: "the connection of a shared stream"
        case .unknown: "a property, a variable, or nobody: releasing a disposable does not dispose it"
        }
    }
}

/// A subscription as a moving marble diagram, with a column for each snapshot: `--o-oo#`.
struct MarbleLine: Equatable {
    /// The text: `-` nothing, `o` elements, `#` an upstream failed, `|` the end.
    let text: String
    /// The number of elements in the last column.
    let lastCount: UInt64

    /// - Parameter states: the node in successive snapshots, the first one before the first column; `nil` where it was not running.
    init(_ states: [InspectorSnapshot.Node?]) {
        var text = ""
        var lastCount: UInt64 = 0
        for (before, now) in zip(states, states.dropFirst()) {
            lastCount = 0
            switch (before, now) {
            case (nil, nil): text += text.isEmpty ? "" : " "
            case (_?, nil): text += "|"
            case (let before, let now?):
                // A subscription that started after the last snapshot may have emitted before this one.
                lastCount = now.elements - min(now.elements, before?.elements ?? 0)
                text += now.errors > before?.errors ?? 0 ? "#" : lastCount > 0 ? "o" : "-"
            }
        }
        while text.hasSuffix(" ") { text.removeLast() }
        (self.text, self.lastCount) = (text, lastCount)
    }
}
