import Foundation
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

/// `PULSE_SNAPSHOTS=write swift test --filter ScreenSnapshotTests` writes the screens anew, so that a change of them is seen in the diff.
@MainActor
@Suite("Every screen in a small, a usual and a large window is as it was", .countsResources)
struct ScreenSnapshotTests {
    private static let sizes = [Size(width: 20, height: 5), Size(width: 80, height: 24), Size(width: 300, height: 80)]
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Snapshots/pulse.txt")

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
        let text = try sections().map { ([$0.title] + $0.lines).joined(separator: "\n") + "\n" }.joined()
        if ProcessInfo.processInfo.environment["PULSE_SNAPSHOTS"] == "write" { try Data(text.utf8).write(to: Self.file) }
        let kept = try String(contentsOf: Self.file, encoding: .utf8).components(separatedBy: "\n=== ")
        for (shown, expected) in zip(text.components(separatedBy: "\n=== "), kept) { #expect(shown == expected) }
        #expect(text.components(separatedBy: "\n=== ").count == kept.count)
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
