import Foundation
import Testing

/// Screens as they are kept in a file of `Tests/Snapshots`.
///
/// `PULSE_SNAPSHOTS=write swift test --filter Screen` writes them anew, so that a change of them is seen in the diff.
struct KeptScreens {
    private let file: URL

    init(file name: String) {
        file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Snapshots/\(name)")
    }

    /// Expects these screens, each under its title, `=== 80x24 table`.
    func compare(_ sections: [(title: String, lines: [String])], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = sections.map { ([$0.title] + $0.lines).joined(separator: "\n") + "\n" }.joined()
        if ProcessInfo.processInfo.environment["PULSE_SNAPSHOTS"] == "write" { try Data(text.utf8).write(to: file) }
        let shown = text.components(separatedBy: "\n=== ")
        let kept = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n=== ")
        for (shown, kept) in zip(shown, kept) { #expect(shown == kept, sourceLocation: sourceLocation) }
        #expect(shown.count == kept.count, sourceLocation: sourceLocation)
    }
}
