import Foundation
import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("The screens of an inspected process look as they do in every size", .countsResources)
struct InspectScreenTests {
    private typealias Step = InspectScreens.Step

    private let screens = InspectScreens()

    /// The steps that lead to each screen.
    private static let steps: [(name: String, steps: [InspectScreens.Step])] = [
        ("nothing yet", []),
        ("tree", [.snapshot(SampleSnapshots.shop())]),
        ("details", running + [.key(.down), .key(.down), .key(.enter)]),
        ("help", [.snapshot(SampleSnapshots.shop())] + Step.keys("?")),
        ("filter", [.snapshot(SampleSnapshots.shop())] + Step.keys("/zip\r")),
        ("what grew", [.snapshot(SampleSnapshots.shop(leaks: 2))] + Step.keys("d") + [.snapshot(SampleSnapshots.shop(at: 10, leaks: 5))]),
        ("ended", running + [.event(.failure(.unreachable("/run/user/1/streams/4242-a.sock")))]),
    ]

    private static let running: [InspectScreens.Step] = (0..<8).map { .snapshot(SampleSnapshots.shop(at: $0)) }

    @Test func `They are those of Tests/Snapshots/inspect.txt`() throws {
        let sizes = [Size(width: 20, height: 5), Size(width: 80, height: 24), Size(width: 300, height: 100)]
        let sections = sizes.flatMap { size in
            Self.steps.map { ("=== \(size.width)x\(size.height) \($0.name)", screens.screen(size.width, size.height, $0.steps)) }
        }
        for (section, lines) in sections {
            let size = section.split(separator: " ")[1].split(separator: "x").compactMap { Int($0) }
            #expect(lines.count <= size[1] && lines.allSatisfy { TerminalText.width(of: $0) <= size[0] })
        }
        try KeptScreens(file: "inspect.txt").compare(sections)
    }

    @Test func `The selection stays with its subscription when the tree is sorted, and after it has ended`() {
        let select = [Step.snapshot(SampleSnapshots.shop()), .key(.down), .key(.down)]
        let sorted = screens.screen(100, 30, select + Step.keys("s"))
        #expect(table(sorted)[0].contains("Rate ▼") && table(sorted)[1].contains("▾ zip"))
        #expect(sorted.contains { $0.contains("┌ interval  Shop/Orders.swift:10") })
        var shorter = SampleSnapshots.shop(at: 1)
        shorter.nodes.removeAll { $0.id == 3 }
        let ended = screens.screen(100, 30, select + [.snapshot(shorter, selection: "3")])
        #expect(ended.contains { $0.contains("· interval") && $0.contains("ended") })
        #expect(ended.contains { $0.contains("marbles  |") })
    }

    @Test func `c collapses what is selected, and C all chains`() {
        let shown = [Step.snapshot(SampleSnapshots.shop())]
        #expect(table(screens.screen(100, 30, shown + Step.keys("c")))[1...2].map { $0.prefix(8) } == [" ▸ obser", " ▾ zip  "])
        let collapsed = table(screens.screen(100, 30, shown + Step.keys("C")))
        #expect(collapsed[1...4].map { $0.prefix(6) } == [" ▸ obs", " ▸ zip", " ▸ ret", " · pub"])
        #expect(screens.screen(100, 30, shown + Step.keys("CC")) == screens.screen(100, 30, shown))
    }

    /// The lines from the heads of the columns on: above them is what stands out.
    private func table(_ lines: [String]) -> [String] { Array(lines.drop { !$0.contains("Operator") }) }

    @Test func `Letters of a filter are no commands`() {
        let lines = screens.screen(100, 30, [.snapshot(SampleSnapshots.shop())] + Step.keys("/dc"))
        #expect(lines[0].contains("4 chains") && lines.contains { $0.contains("Nothing matches “dc”") })
    }

    @Test func `Of 100,000 operators the visible rows are made, and the last one is reached`() {
        var snapshot = SampleSnapshots.shop()
        snapshot.nodes = (1...100_000).map { SampleSnapshots.node(UInt64($0), "map", in: $0 == 1 ? nil : UInt64($0 - 1), line: $0) }
        let lines = screens.screen(300, 100, [.snapshot(snapshot), .key(.end)])
        #expect(lines.contains { $0.contains("99999 · map") && $0.contains("Orders.swift:100000") })
        #expect(screens.screen(20, 5, [.snapshot(snapshot), .key(.end)])[3].contains("99999"))
    }

    @Test func `Names of others cannot control the terminal`() {
        var snapshot = SampleSnapshots.shop()
        snapshot.program = "\u{1B}[31mshop\u{7}"
        snapshot.nodes[0].operatorName = "map\u{1B}[2J\n\u{202E}x"
        snapshot.nodes[0].place?.file = hostileText(10_000)
        let lines = screens.screen(80, 24, [.snapshot(snapshot.repaired), .key(.enter)])
        #expect(lines.allSatisfy { TerminalText.width(of: $0) <= 80 && !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
        #expect(lines[0].contains("␛[31mshop"))
    }
}
