import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("Every screen in a small, a usual and a large window is as it was", .countsResources)
struct ScreenSnapshotTests {
    private static let sizes = [Size(width: 20, height: 5), Size(width: 80, height: 24), Size(width: 300, height: 80)]

    /// The keys that lead to each screen.
    private static let keys: [(name: String, keys: [Key])] = [
        ("table", []), ("details", [.home, .enter]), ("failures", [.home, .enter, .tab]), ("response", [.home, .enter, .tab, .tab]),
        ("help", [.character("?")]), ("filter", [.character("/"), .character("b"), .character("a")]),
        ("kept filter", [.character("/"), .character("b"), .character("a"), .enter]), ("no match", [.character("/"), .character("z")]),
        ("paused, sorted by latency", [.character(" "), .character("s"), .character("s"), .character("s"), .character("S")]),
    ]

    private func sections() throws -> [(title: String, lines: [String])] {
        let screens = WatchScreens()
        return try Self.sizes.flatMap { size in
            let named = try Self.keys.map { ($0.name, try screens.screen(size.width, size.height, $0.keys)) }
            let first = ("nothing yet", try screens.screen(size.width, size.height, board: WatchBoard()))
            return (named + [first]).map { ("=== \(size.width)x\(size.height) \($0)", $1) }
        }
    }

    @Test func `They are those of Tests/Snapshots/pulse.txt`() throws {
        try KeptScreens(file: "pulse.txt").compare(try sections())
    }

    @Test func `Each fits into its window, and q is shown wherever it quits`() throws {
        for (section, lines) in try sections() {
            let size = try #require(section.split(separator: " ").dropFirst().first?.split(separator: "x").compactMap { Int($0) })
            #expect(lines.count <= size[1] && lines.allSatisfy { TerminalText.width(of: $0) <= size[0] })
            let edits = section.hasSuffix(" filter") && !section.hasSuffix("kept filter") || section.hasSuffix("no match")
            #expect(lines.last?.contains("q quit") == !edits)
        }
    }
}
