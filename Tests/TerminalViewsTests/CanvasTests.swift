import StreamsTesting
import TerminalViews
import Testing

@Suite("A canvas is a grid of safe cells", .countsResources)
struct CanvasTests {
    @MainActor
    @Test func `A snapshot in a size that no memory holds is of the size that is drawn at most`() {
        let canvas = Label("text").snapshot(in: Size(width: 65_535, height: 65_535))
        #expect(canvas.size == Size(width: 1000, height: 500) && canvas.text.hasPrefix("text"))
        #expect(Canvas(size: Size(width: .max, height: .max)).size == canvas.size)
    }

    @Test func `Text is drawn at its position and clipped at the edges`() {
        var canvas = Canvas(size: Size(width: 6, height: 3))
        canvas.draw("hello world", at: Point(x: 1, y: 0))
        canvas.draw("abc", at: Point(x: -1, y: 1))
        canvas.draw("below", at: Point(x: 0, y: 3))
        #expect(canvas.text == " hello\nbc\n")
    }

    @Test func `Drawing inside a rectangle moves the origin and clips at its edges, also nested`() {
        var canvas = Canvas(size: Size(width: 8, height: 3))
        canvas.draw(inside: Rect(x: 2, y: 1, width: 4, height: 5)) { canvas in
            #expect(canvas.drawingSize == Size(width: 4, height: 5))
            canvas.draw("abcdefgh")
            canvas.draw(inside: Rect(x: 1, y: 1, width: 10, height: 1)) { $0.draw("12345678", at: Point(x: 1, y: 0)) }
        }
        canvas.draw("x", at: Point(x: 7, y: 2))
        #expect(canvas.text == "\n  abcd\n    12 x")
    }

    @Test func `A wide character that would be cut in half is a space`() {
        var canvas = Canvas(size: Size(width: 5, height: 3))
        canvas.draw("日本語", at: .zero)
        canvas.draw("日本語", at: Point(x: -1, y: 1))
        canvas.draw("日本", at: Point(x: 0, y: 2))
        canvas.draw("x", at: Point(x: 1, y: 2))
        #expect(canvas.text == "日本\n 本語\n x本")
    }

    @Test(arguments: 0..<6) func `Overwriting one half of a wide character clears the other`(column: Int) {
        var canvas = Canvas(size: Size(width: 6, height: 1))
        canvas.draw("日本語")
        canvas.draw("語", at: Point(x: column, y: 0))
        let columns = (0..<6).map { Int(canvas[$0, 0]?.width ?? -1) }
        #expect(columns.reduce(0, +) == 6)
        #expect(TerminalText.width(of: canvas.text) <= 6)
    }

    @Test func `Control characters in drawn text are pictures, lone marks are skipped`() {
        var canvas = Canvas(size: Size(width: 12, height: 1))
        canvas.draw("\u{301}a\u{1B}[2Jb\n\u{200B}c")
        #expect(canvas.text == "a␛[2Jb c")
    }

    @Test func `Filling respects the clip`() {
        var canvas = Canvas(size: Size(width: 5, height: 2))
        canvas.draw(inside: Rect(x: 1, y: 0, width: 3, height: 1)) {
            $0.fill(Rect(x: -5, y: -5, width: 50, height: 50), with: "#", style: .plain)
        }
        canvas.fill(Rect(x: 3, y: 1, width: -4, height: 4), with: "!", style: .plain)
        #expect(canvas.text == " ###\n")
    }
}
