import Streams
import StreamsInspector
import Testing

@testable import pulse

@MainActor
@Suite("The operators of the program, and those that the package builds inside them", .countsResources)
struct ProgramNodesTests {
    private typealias Step = InspectScreens.Step

    /// `observe` of the program above two operators of the package, above a source of the program; and a chain of the package.
    private static func snapshot() -> InspectorSnapshot {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        var observe = SampleSnapshots.node(1, "observe", line: 3)
        observe.retainer = .bag
        let buffer = inside(2, "buffer", in: 1) { $0.queues = [Node.Queue(name: "elements", count: 3, bound: 8)] }
        let boundary = inside(3, "deferred", in: 2) { _ in }
        var source = SampleSnapshots.node(4, "interval", in: 3, line: 2)
        (source.state, source.suspension) = (.suspended, Node.Suspension(boundary: 2, age: 0.1, reason: .full))
        let attempts = inside(5, "retry", in: nil) { $0.retainer = .task }
        let caller = SampleSnapshots.node(6, "request", in: 5, line: 9)
        snapshot.nodes = [observe, buffer, boundary, source, attempts, caller]
        return snapshot
    }

    private static func inside(_ id: UInt64, _ name: String, in parent: UInt64?, _ change: (inout Node) -> Void) -> Node {
        var node = Node(id: id, parent: parent, operatorName: name, age: 90)
        node.isInternal = true
        change(&node)
        return node
    }

    @Test func `Those of the package are left out, and what they have is shown where they are`() {
        let nodes = Self.snapshot().ofProgram.nodes
        #expect(nodes.map(\.id) == [1, 4, 6] && nodes.map(\.parent) == [nil, 1, nil])
        #expect(nodes[0].queues == [Node.Queue(name: "elements", count: 3, bound: 8)])
        #expect(nodes[1].suspension?.boundary == 1)
        #expect(nodes.map(\.retainer) == [.bag, nil, .task])
    }

    @Test func `--once counts and prints those of the program, and with --all the others`() {
        let names = { (lines: [String]) in lines.dropFirst(2).prefix { !$0.isEmpty }.compactMap { $0.split(separator: " ").first } }
        let lines = InspectText(Self.snapshot()).lines
        #expect(lines[0] == "shop 7: 2 chains, 3 operators" && names(lines) == ["observe", "interval", "request"])
        let whole = InspectText(Self.snapshot(), isWhole: true).lines
        #expect(whole[0] == "shop 7: 2 chains, 6 operators")
        #expect(names(whole) == ["observe", "buffer", "deferred", "interval", "retry", "request"])
    }

    @Test func `A shows them on the screen, and hides them again`() {
        let screens = InspectScreens()
        let shown = [Step.snapshot(Self.snapshot())]
        let hidden = screens.screen(100, 30, shown)
        #expect(hidden[0].contains("2 chains, 3 operators") && !hidden.contains { $0.contains("deferred") })
        let whole = screens.screen(100, 30, shown + Step.keys("a"))
        #expect(whole[0].contains("2 chains, 6 operators") && whole.contains { $0.contains("deferred") })
        #expect(screens.screen(100, 30, shown + Step.keys("aa")) == hidden)
    }

    @Test func `Nothing stands out in a program whose sources are silent`() {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        snapshot.nodes = [SampleSnapshots.node(1, "map", line: 2), SampleSnapshots.node(2, "interval", in: 1, line: 1)]
        #expect(InspectText(snapshot).lines.suffix(2) == ["", "Nothing stands out."])
        snapshot.nodes[1].errors = 3
        snapshot.nodes[1].starts = 3
        #expect(InspectText(snapshot).lines.suffix(2).first == "Why nothing arrives:")
    }

    @Test func `A program without debug information says so`() {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        snapshot.nodes = [Node(id: 1, operatorName: "?", age: 9), Self.inside(2, "retry", in: nil) { _ in }]
        let sentence = "  the program has no debug information, so that no line is known: it was built with `-gnone`, or stripped"
        #expect(InspectText(snapshot).lines.suffix(2) == ["What stands out:", sentence])
        snapshot.nodes.removeFirst()
        #expect(InspectText(snapshot).lines == ["shop 7: 0 chains, 0 operators"])
    }
}
