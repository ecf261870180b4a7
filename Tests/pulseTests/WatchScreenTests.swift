import Foundation
import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("The screens of a watch look as they do in every size", .countsResources)
struct WatchScreenTests {
    private let screens = WatchScreens()

    @Test func `80x24: the help, and a filter without a match`() throws {
        let help = try screens.screen(80, 24, [.character("?")])
        for line in DashboardKeys.all.lines { #expect(help.contains { $0.contains(line.help) }) }
        #expect(help[3].hasPrefix(" … wait ┌ Keys ──") && help[3].hasSuffix("──┐") && help.last?.hasSuffix("q quit") == true)
        let none = try screens.screen(80, 24, [.character("/"), .character("z")])
        #expect(none[2] == " Nothing matches “z”; esc clears the filter.")
        #expect(none.contains { $0.contains("Nothing is selected.") })
    }

    @Test func `300x80: everything is there, the details beside the table, and the width is used`() throws {
        let lines = try screens.screen(300, 80, [.home])
        #expect(lines[1].contains("Group") && lines[1].contains("p50") && lines[1].contains("p95") && lines[1].contains("Last error"))
        #expect(lines[2].contains("▼ down  bar") && lines[2].contains("status 503") && lines[1].contains("┌ bar  http://h.example/bar"))
        #expect(lines.prefix(79).filter { TerminalText.width(of: $0) == 300 }.count == 78)
        #expect(lines.contains { $0.contains("last failures") })
        #expect(lines.last?.contains("↑↓ select") == true)
    }

    @Test func `The first second: what is watched, and that nothing is known yet`() throws {
        let target = WatchTarget(try #require(URL(string: "http://h.example/")), name: "only")
        let lines = try screens.screen(80, 24, board: WatchBoard().applying(.targets([target])))
        #expect(lines[0].contains("pulse  1 endpoint, every 5 s"))
        #expect(lines[2].hasPrefix(" … wait  only"))
        #expect(lines.contains { $0.contains("waiting for the first check") })
        #expect(try screens.screen(80, 24, board: WatchBoard())[2] == " Waiting for the first check.")
    }
}
