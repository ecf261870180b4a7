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

    @Test("20x5: the table, and q")
    func smallest() throws {
        let lines = try screens.screen(20, 5)
        let expected = """
              2/4 up  1… live ○
             State ▲ Endpoint
             ▼ down  bar       ▐
             … wait  new
             ? help  q quit
            """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines == expected)
        #expect(try screens.screen(20, 5, [.character("?")]).joined().contains("Keys"))
        #expect(try screens.screen(20, 5, [.character("/"), .character("x")]).last == " / x")
    }

    @Test("80x24: failing first, the details below")
    func usual() throws {
        let lines = try screens.screen(80, 24, [.home])
        let expected = """
              2/4 up  1 waiting  every 5 s                                           live ○
             State ▲ Endpoint              Code  Latency  Uptime Last minute      Last error
             ▼ down  bar                    503  40.0 ms  83.3 %     ▃▃▃▃▃▃▃▃▃▃   status 503
             … wait  new                      -        -       -
             ● up    cart                   200  21.3 ms 100.0 %     ▁▂▂▃▃▄▄▅▅▆▆▇
             ● up    h.example/café/health  204   150 ms 100.0 %     ▃▃▃▃▃▃▃▃▃▃▃▃








            ┌ bar  http://h.example/bar ───────────────────────────────────────────────────┐
            │ Overview  Failures 2  Response                                               │
            │ state    down since 22:14:10, 5 s  status 503       40.0 ms ┤ ████████████   │
            │ last     40.0 ms at 22:14:15, status 503                    │ ████████████   │
            │ latency  p50 40.0  p95 40.0  p99 40.0  max 40.0 ms          │ ████████████   │
            │ phases   reused  first byte 21.0  body 0.3 ms          0 ms ┤ ████████████×× │
            │ checks   12, 2 failed, up 83.3 %                            └─────────────── │
            │                                                              1 minute ago    │
            └──────────────────────────────────────────────────────────────────────────────┘
             enter details  space pause  r refresh  s sort  / filter  ? help  q quit
            """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines == expected)
    }

    @Test("80x24: the details of a failing endpoint on the whole screen, and the start of its response")
    func details() throws {
        let lines = try screens.screen(80, 24, [.home, .enter])
        let expected = """
              2/4 up  1 waiting  every 5 s                                           live ○
            ┌ bar  http://h.example/bar ───────────────────────────────────────────────────┐
            │ Overview  Failures 2  Response                                               │
            │ state    down since 22:14:10, 5 s  status 503                                │
            │ last     40.0 ms at 22:14:15, status 503                                     │
            │ latency  p50 40.0  p95 40.0  p99 40.0  max 40.0 ms                           │
            │ phases   reused  first byte 21.0  body 0.3 ms                                │
            │ checks   12, 2 failed, up 83.3 %                                             │
            │                                                                              │
            │ 40.0 ms ┤     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │         │     ████████████████████████████████████████████████████████       │
            │    0 ms ┤     ████████████████████████████████████████████████████████×    × │
            │         └─────────────────────────────────────────────────────────────────── │
            │          1 minute ago                                                    now │
            └──────────────────────────────────────────────────────────────────────────────┘
             enter details  space pause  r refresh  s sort  / filter  ? help  q quit
            """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines == expected)
        let response = try screens.screen(80, 24, [.home, .enter, .tab, .tab])
        #expect(response[3].hasPrefix("│ 22:14:15  status 503"))
        #expect(response[4].hasPrefix("│ out of coffee"))
    }

    @Test("80x24: the help, and a filter without a match")
    func others() throws {
        let help = try screens.screen(80, 24, [.character("?")])
        for binding in KeyBinding.all { #expect(help.contains { $0.contains(binding.meaning) }) }
        #expect(help[3].hasPrefix(" … wait ┌ Keys ──") && help[3].hasSuffix("──┐") && help.last?.hasSuffix("q quit") == true)
        let none = try screens.screen(80, 24, [.character("/"), .character("z")])
        #expect(none[2] == " Nothing matches “z”; esc clears the filter.")
        #expect(none.contains { $0.contains("Nothing is selected.") })
    }

    @Test("300x80: everything is there, the details beside the table, and the width is used")
    func largest() throws {
        let lines = try screens.screen(300, 80, [.home])
        #expect(lines[1].contains("Group") && lines[1].contains("p50") && lines[1].contains("p95") && lines[1].contains("Last error"))
        #expect(lines[2].contains("▼ down  bar") && lines[2].contains("status 503") && lines[1].contains("┌ bar  http://h.example/bar"))
        #expect(lines.prefix(79).filter { TerminalText.width(of: $0) == 300 }.count == 78)
        #expect(lines.contains { $0.contains("last failures") })
        #expect(lines.last?.contains("↑↓ select") == true)
    }

    @Test("The first second: what is watched, and that nothing is known yet")
    func firstSecond() throws {
        let target = WatchTarget(try #require(URL(string: "http://h.example/")), name: "only")
        let lines = try screens.screen(80, 24, board: WatchBoard().applying(.targets([target])))
        #expect(lines[0].contains("pulse  1 endpoint, every 5 s"))
        #expect(lines[2].hasPrefix(" … wait  only"))
        #expect(lines.contains { $0.contains("waiting for the first check") })
        #expect(try screens.screen(80, 24, board: WatchBoard())[2] == " Waiting for the first check.")
    }
}
