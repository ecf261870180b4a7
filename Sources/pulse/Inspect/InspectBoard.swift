import NetNodes
import StreamsInspector
import TerminalViews

/// An event on the screen of an inspected process.
enum InspectEvent: Sendable {
    /// It is time for a snapshot.
    case tick
    /// A snapshot, and the entry that was selected when it arrived.
    case snapshot(InspectorSnapshot, selection: String?)
    case failure(InspectFailure)
    case command(DashboardState.KeyCommand)
}

/// The snapshots of a process, and the way in which they are shown.
struct InspectBoard: Sendable {
    /// The last snapshots, the latest at the end, as many as marble lines need.
    private(set) var history: [Boxed<InspectorSnapshot>] = []
    /// The shown part of the latest snapshot: all of it, or the operators of the program.
    private var shown = Boxed(InspectorSnapshot(process: 0, program: "", time: 0))
    private(set) var forest = Boxed(InspectForest([]))
    /// The conspicuous findings in it, the most urgent first.
    private var findings: [String] = []
    private(set) var collapsed: Set<InspectorSnapshot.Node.ID> = []
    /// The snapshot with which the present is compared; `nil` for the tree.
    private(set) var mark: Boxed<InspectorSnapshot>?
    private(set) var problem: String?
    /// The selected node, after it has ended.
    private(set) var ended: InspectorSnapshot.Node.ID?
    /// The version, which grows with each event that changes the screen.
    private(set) var version = 0
    private var ticks = 0
    private let interval: Duration
    /// Whether the screen also shows operators that the package built inside those of the program.
    private var isWhole: Bool

    init(interval: Duration = .seconds(1), isWhole: Bool = false) {
        (self.interval, self.isWhole) = (interval, isWhole)
    }

    var snapshot: InspectorSnapshot? { history.last?.value }

    /// Returns the board after one more event. O(nodes) for a snapshot.
    func applying(_ event: InspectEvent) -> InspectBoard {
        var next = self
        if case .tick = event {
            next.countTick()
            return next
        }
        next.version += 1
        switch event {
        case .tick: break
        case .snapshot(let snapshot, let selection): next.show(snapshot, selection)
        case .failure(let failure): next.report(failure)
        case .command(let command): next.obey(command)
        }
        return next
    }

    private mutating func countTick() {
        // Since then, the request of the first tick is in progress.
        let time = interval * ticks
        ticks += 1
        guard time > Self.patience else { return }
        problem = InspectFailure.silent(time).description
        version += 1
    }

    private mutating func show(_ snapshot: InspectorSnapshot, _ selection: String?) {
        (problem, ticks) = (nil, 0)
        shown = Boxed(isWhole ? snapshot : snapshot.ofProgram)
        var nodes = shown.value.nodes
        let selected = selection.flatMap { UInt64($0) }
        ended = nil
        // A subscription that you are looking at does not vanish from the screen.
        if let last = forest.value.nodes.first(where: { $0.id == selected }), !nodes.contains(where: { $0.id == selected }) {
            var last = last
            last.state = .finished
            (last.rate, last.suspension) = (0, nil)
            nodes.append(last)
            ended = last.id
        }
        arrange(nodes)
        if !collapsed.isEmpty { collapsed.formIntersection(nodes.map(\.id)) }
        history.append(Boxed(snapshot))
        var count = history.reduce(0) { $0 + $1.value.nodes.count }
        while history.count > Self.longestHistory || history.count > 1 && count > Self.mostNodes {
            count -= history.removeFirst().value.nodes.count
        }
    }

    private mutating func arrange(_ nodes: [InspectorSnapshot.Node]) {
        let forest = InspectForest(nodes)
        findings = InspectFindings(forest).sentences + forest.causes
        self.forest = Boxed(forest)
    }

    private mutating func showWhole(_ isWhole: Bool) {
        self.isWhole = isWhole
        guard let snapshot else { return }
        shown = Boxed(isWhole ? snapshot : snapshot.ofProgram)
        ended = nil
        arrange(shown.value.nodes)
    }

    private mutating func report(_ failure: InspectFailure) {
        ticks = 0
        problem = snapshot == nil ? failure.description : "\(failure.cause); this is its last snapshot"
    }

    private mutating func obey(_ command: DashboardState.KeyCommand) {
        switch command.letter {
        case "a": showWhole(!isWhole)
        case "d": mark = mark == nil ? history.last : nil
        case "c": toggle(command.selection.flatMap { UInt64($0) })
        case "C": collapsed = collapsed.isEmpty ? Set(forest.value.nodes.lazy.filter { $0.parent == nil }.map(\.id)) : []
        default: break
        }
    }

    /// Collapses or expands a node; one without upstreams has nothing to collapse.
    private mutating func toggle(_ node: InspectorSnapshot.Node.ID?) {
        guard let node, let index = forest.value.nodes.firstIndex(where: { $0.id == node }) else { return }
        guard !forest.value.upstreams(of: index).isEmpty else { return }
        if collapsed.remove(node) == nil { collapsed.insert(node) }
    }

    private static let patience = Duration.seconds(5)
    private static let longestHistory = 121
    /// The maximum number of nodes in all kept snapshots.
    private static let mostNodes = 200_000
}

extension InspectBoard {
    /// Returns the content of the screen.
    func content(_ theme: Theme) -> Content {
        guard let snapshot else {
            return Content(isEmpty: true, heading: StyledText("pulse inspect", .bold), columns: nil, notice: problem) { _ in [] }
        }
        if let mark {
            let growth = InspectGrowth(snapshot, since: mark.value, theme: theme, version: version)
            return Content(
                isEmpty: growth.isEmpty, heading: growth.heading, columns: InspectColumn.growthColumns, notice: problem,
                entries: growth.entries)
        }
        let tree = InspectTree(board: self, theme: theme)
        return Content(
            isEmpty: shown.value.nodes.isEmpty, heading: heading(shown.value, theme),
            columns: InspectColumn.columns(hasErrors: shown.value.nodes.contains { $0.errors > 0 }), notice: problem ?? notice(snapshot),
            entries: tree.entries)
    }

    private func notice(_ snapshot: InspectorSnapshot) -> String? {
        let (kept, outside) = (snapshot.totals.hidden, snapshot.totals.outside ?? 0)
        var hidden: [String] = []
        if outside > 0 { hidden.append("\(Wording.count(outside, "operator")) more: --limit and --skip choose which are shown") }
        if kept > 0 { hidden.append("\(Wording.count(kept, "operator")) more: the inspector keeps no more than \(snapshot.totals.nodes)") }
        let lines = (hidden + findings).prefix(Self.mostLines)
        let rest = hidden.count + findings.count - lines.count
        return lines.isEmpty ? nil : lines.joined(separator: "\n") + (rest > 0 ? " (and \(rest) more)" : "")
    }

    private static let mostLines = 2

    private func heading(_ snapshot: InspectorSnapshot, _ theme: Theme) -> StyledText {
        let suspended = snapshot.nodes.count { $0.state == .suspended }
        let counts = "\(Wording.count(snapshot.roots.count, "chain")), \(forest.value.counts)"
        return StyledText(snapshot.program, .bold) + StyledText(" \(snapshot.process)  \(counts)")
            + (suspended > 0 ? StyledText(", \(suspended) suspended", theme.warning) : "")
    }
}
