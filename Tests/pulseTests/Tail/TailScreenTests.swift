import Foundation
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("Lines are kept within bounds", .countsResources)
struct TailBufferTests {
    @Test func `The oldest lines go, by number and by bytes, and are counted`() {
        var buffer = TailBuffer(mostLines: 3, mostBytes: 10)
        for text in ["a", "b", "c", "d"] { buffer.append(TailLine(source: 0, text: text)) }
        #expect(buffer.lines.map(\.text) == ["b", "c", "d"] && buffer.leftOut == 1)
        buffer.append(TailLine(source: 0, text: "123456789"))
        #expect(buffer.lines.map(\.text) == ["d", "123456789"] && buffer.leftOut == 3)
        buffer.append(TailLine(source: 0, text: String(repeating: "x", count: 100)))
        #expect(buffer.lines.count == 1 && buffer.leftOut == 5)
        #expect(buffer.takeAll().count == 1)
        #expect(buffer.lines.isEmpty && buffer.leftOut == 0)
    }
}

@MainActor
@Suite("The screen of pulse tail", .countsResources)
struct TailScreenTests {
    private let screen = TailScreen(["a.log", "b"], theme: .dark, bounds: TailBuffer(mostLines: 5, mostBytes: 1000))

    private func add(_ texts: String..., source: Int = 0) {
        for text in texts { screen.take(.line(source: source, text)) }
    }

    private func type(_ keys: Key...) {
        for key in keys { screen.take(key) }
    }

    private func lines(_ width: Int = 40, _ height: Int = 7) -> [String] {
        screen.resize(to: Size(width: width, height: height))
        return screen.root.snapshot(in: Size(width: width, height: height)).text.components(separatedBy: "\n")
    }

    @Test func `Each source has its name and its color before its lines, the newest at the bottom`() {
        add("one")
        add("two", source: 1)
        let canvas = screen.root.snapshot(in: Size(width: 40, height: 5))
        let shown = lines(40, 5)
        #expect(shown[0].hasPrefix(" pulse tail  a.log  b  ") && shown[0].hasSuffix("live ○"))
        #expect(shown[1...] == ["a.log one", "b     two", "", " space pause  / filter  ? help  q quit"])
        #expect(canvas[0, 1]?.style == Style(.cyan) && canvas[0, 2]?.style == Style(.green) && canvas[6, 1]?.style == .plain)
    }

    @Test func `A slash filters while it is typed; enter keeps the filter and esc clears it`() {
        add("GET /a", "POST /b", "get /c")
        type(.character("/"), .character("g"), .character("e"))
        #expect(lines()[1...3] == ["a.log GET /a", "a.log get /c", ""])
        add("put", "Get q")
        #expect(lines()[3] == "a.log Get q")
        type(.enter)
        #expect(lines()[1] == "a.log GET /a" && lines()[6].contains("filter ge  esc clears"))
        type(.escape)
        #expect(lines()[2] == "a.log POST /b" && !lines()[6].contains("filter ge"))
    }

    @Test func `What comes during a pause waits within bounds, and what had to go is counted on top and in its place`() {
        add("before")
        type(.character("p"))
        for number in 1...8 { add("\(number)") }
        #expect(lines()[0].contains("paused, 5 lines wait, 3 left out"))
        #expect(lines()[1...2] == ["a.log before", ""])
        type(.character(" "))
        #expect(lines(40, 9)[0].contains("live"))
        #expect(lines(40, 9)[1...5] == ["      4 lines left out during the pause", "a.log 5", "a.log 6", "a.log 7", "a.log 8"])
    }

    @Test func `A short pause loses nothing, and says nothing`() {
        let screen = TailScreen(["a"], theme: .dark, bounds: TailBuffer(mostLines: 2))
        screen.take(Key.character("p"))
        for number in 1...2 { screen.take(.line(source: 0, "\(number)")) }
        screen.take(Key.character("p"))
        #expect(screen.log.snapshot(in: Size(width: 40, height: 3)).text == "1\n2\n")
    }

    @Test func `JSON lines are laid out, and as they are again`() {
        add(#"{"level":"info","n":[1,2]}"#, "{no json", "[]")
        #expect(
            lines(40, 12)[1...8] == [
                "a.log {", "        \"level\": \"info\",", "        \"n\": [", "          1,", "          2", "        ]", "      }",
                "a.log {no json",
            ])
        type(.character("j"))
        #expect(lines(40, 12)[1...3] == [#"a.log {"level":"info","n":[1,2]}"#, "a.log {no json", "a.log []"])
    }

    @Test func `Scrolling back holds still while lines come, and the end follows again`() {
        for number in 1...4 { add("\(number)") }
        _ = lines(40, 4)
        type(.up)
        #expect(lines(40, 4)[1...2] == ["a.log 2", "a.log 3"] && lines(40, 4)[0].contains("scrolled back"))
        add("5")
        #expect(lines(40, 4)[1...2] == ["a.log 2", "a.log 3"])
        type(.home)
        #expect(lines(40, 4)[1...2] == ["a.log 1", "a.log 2"])
        type(.end)
        add("6")
        #expect(lines(40, 4)[1...2] == ["a.log 5", "a.log 6"])
    }

    @Test func `A line cannot control the terminal, and a long one continues below its name`() {
        add("a\u{1B}[2Jb\u{9B}c\td", String(repeating: "x", count: 50))
        #expect(
            lines()[1...3] == [
                "a.log a␛[2Jb\u{FFFD}c d", "a.log " + String(repeating: "x", count: 34), "      " + String(repeating: "x", count: 16),
            ])
        #expect(!lines().joined().contains("\u{1B}"))
    }

    @Test func `The end of a source is a line, and its code that of q`() {
        screen.take(.ended(source: 1, "make exited with 2", code: 2))
        #expect(lines()[1] == "      make exited with 2")
        screen.take(.ended(source: 0, "a.log is a directory", code: 1))
        #expect(screen.outcome.code == 2)
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 4), (12, 5), (1000, 500)]) func `Any size shows something, and the one after a resize all`(
        width: Int, height: Int
    ) {
        add("text", #"{"a":1}"#, String(repeating: "日", count: 300))
        _ = lines(width, height)
        type(.up, .pageUp, .home, .end, .character("?"))
        _ = lines(width, height)
        type(.escape)
        #expect(lines(80, 30)[1] == "a.log text")
    }

    @Test func `The help shows every key, and has the keys while it is open`() {
        type(.character("?"))
        let help = lines(80, 24).joined(separator: "\n")
        for line in screen.focus.bindings.lines { #expect(help.contains(line.help)) }
        type(.character("p"), .escape)
        #expect(!lines(80, 24).joined().contains("┌ Keys"))
    }
}
