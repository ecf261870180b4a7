import StreamsTesting
import TestSupport
import Testing

@testable import TerminalViews

@Suite("The renderer sends differences only", .countsResources)
struct DifferenceRendererTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `The first frame is drawn completely, an equal frame produces no output`() {
        var renderer = DifferenceRenderer(depth: .palette)
        var canvas = Canvas(size: Size(width: 10, height: 3))
        canvas.draw("hi", at: Point(x: 2, y: 1), style: Style(.red))
        #expect(text(renderer.render(canvas)) == "\u{1B}[m\u{1B}[2J\u{1B}[2;3H\u{1B}[31mhi\u{1B}[m")
        #expect(renderer.render(canvas).isEmpty)
        renderer.invalidate()
        #expect(!renderer.render(canvas).isEmpty)
    }

    @Test func `One changed letter is one cursor movement and one letter`() {
        var renderer = DifferenceRenderer(depth: .palette)
        var canvas = Canvas(size: Size(width: 40, height: 3))
        canvas.draw("price 41.17", at: Point(x: 4, y: 1))
        _ = renderer.render(canvas)
        canvas.draw("2", at: Point(x: 11, y: 1))
        #expect(text(renderer.render(canvas)) == "\u{1B}[2;12H2")
    }

    @Test func `A short stretch of unchanged letters is rewritten, a long one skipped`() {
        var renderer = DifferenceRenderer(depth: .palette)
        var canvas = Canvas(size: Size(width: 40, height: 1))
        canvas.draw("1bcd1bcdefgh1")
        _ = renderer.render(canvas)
        canvas.draw("2bcd2bcdefgh2")
        #expect(text(renderer.render(canvas)) == "\u{1B}[H2bcd2\u{1B}[7C2")
    }

    @Test func `A cleared line is erased by one code`() {
        var renderer = DifferenceRenderer(depth: .palette)
        var canvas = Canvas(size: Size(width: 40, height: 2))
        canvas.draw("a long line of text", style: Style(.red))
        _ = renderer.render(canvas)
        canvas = Canvas(size: Size(width: 40, height: 2))
        canvas.draw("a")
        #expect(text(renderer.render(canvas)) == "\u{1B}[Ha\u{1B}[K")
    }

    @Test func `Without colors only attributes are sent`() {
        var renderer = DifferenceRenderer(depth: .monochrome)
        var canvas = Canvas(size: Size(width: 4, height: 1))
        canvas.draw("ab", style: Style(.red, on: .rgb(1, 2, 3), .bold))
        #expect(text(renderer.render(canvas)) == "\u{1B}[m\u{1B}[2J\u{1B}[H\u{1B}[1mab\u{1B}[m")
    }

    @Test(arguments: [(Color.Depth.sixteen, "91"), (.palette, "38;5;203"), (.trueColor, "38;2;255;80;80")])
    func `Colours are reduced to what the terminal shows`(depth: Color.Depth, code: String) {
        var renderer = DifferenceRenderer(depth: depth)
        var canvas = Canvas(size: Size(width: 1, height: 1))
        canvas.draw("x", style: Style(.rgb(255, 80, 80)))
        #expect(text(renderer.render(canvas)).contains("\u{1B}[\(code)mx"))
    }

    @Test(arguments: UInt64(1)...60) func `Applying the differences to a terminal always shows the frame`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = Size(width: Int.random(in: 1...30, using: &generator), height: Int.random(in: 1...6, using: &generator))
        var renderer = DifferenceRenderer(depth: .trueColor)
        var emulator = TerminalEmulator(size: size)
        emulator.feed(Array("\u{1B}[?7l".utf8))
        var canvas = Canvas(size: size)
        for _ in 0..<40 {
            if Int.random(in: 0..<4, using: &generator) == 0 { canvas.clear() }
            canvas.scribble(using: &generator)
            emulator.feed(renderer.render(canvas))
            expectSame(canvas, emulator, seed: seed)
        }
        #expect(emulator.unknownSequences.isEmpty)
    }

    private func expectSame(_ canvas: Canvas, _ emulator: TerminalEmulator, seed: UInt64) {
        for y in 0..<canvas.size.height {
            for x in 0..<canvas.size.width {
                guard let cell = canvas[x, y] else { continue }
                let shown = emulator[x, y]
                let text = cell.width == 0 ? "" : String(cell.character)
                guard shown.text == text, shown.style == cell.style else {
                    Issue.record("seed \(seed), \(x) \(y): \(cell) shown as \(shown)")
                    return
                }
            }
        }
    }

    @Test func `Rows with emoji are redrawn, so that a terminal with other widths shows no remains`() {
        var renderer = DifferenceRenderer(depth: .palette)
        var canvas = Canvas(size: Size(width: 20, height: 1))
        canvas.draw("👨‍👩‍👧 family 1")
        _ = renderer.render(canvas)
        canvas.draw("👨‍👩‍👧 family 2")
        #expect(text(renderer.render(canvas)) == "\u{1B}[H\u{1B}[K👨‍👩‍👧\u{1B}[1;4Hfamily 2")
    }
}

@Suite("The environment determines the colors", .countsResources)
struct ColorDepthTests {
    @Test(
        arguments: [
            (["TERM": "xterm-256color"], Color.Depth.palette), (["TERM": "xterm"], .sixteen), (["TERM": "linux"], .sixteen),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor), (["TERM": "dumb"], .monochrome), ([:], .monochrome),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .monochrome), (["TERM": "xterm-256color", "NO_COLOR": ""], .palette),
            (["TERM": "vt100"], .monochrome), (["TERM": "xterm-direct"], .trueColor), (["TERM": "xterm-kitty"], .palette),
        ])
    func `The depth follows NO_COLOR, COLORTERM and TERM`(environment: [String: String], expected: Color.Depth) {
        #expect(Color.Depth(environment: environment) == expected)
    }
}
