import StreamsTesting
import TerminalViews
import Testing

@Suite("Keys edit a line of text", .countsResources)
struct TextInputTests {
    private func input(_ text: String, _ keys: Key...) -> TextField.Input {
        keys.reduce(into: TextField.Input(text)) { $0.handle($1) }
    }

    @Test func `Characters are inserted at the cursor, and removed on either side of it`() {
        #expect(input("", .character("a"), .character("é"), .character("日")).text == "aé日")
        #expect(input("abc", .left, .left, .character("x")).text == "axbc")
        #expect(input("abc", .backspace).text == "ab")
        #expect(input("abc", .home, .backspace).text == "abc")
        #expect(input("abc", .home, .delete).text == "bc")
        #expect(input("abc", .delete).text == "abc")
        #expect(input("abc", .home, .right, .right, .right, .right, .character("d")).text == "abcd")
    }

    @Test func `Alt-Backspace removes the word before the cursor too`() {
        #expect(input("one two", Key(.backspace, .alt)).text == "one ")
    }

    @Test func `Ctrl-W removes the word before the cursor, Ctrl-U everything before it, Ctrl-K everything after it`() {
        #expect(input("one two  ", .control("w")).text == "one ")
        #expect(input("one two  ", .control("w"), .control("w"), .control("w")).text == "")
        #expect(input("one two", .left, .control("u")).text == "o")
        #expect(input("one two", .home, .right, .control("k")).text == "o")
        #expect(input("one two", .control("a"), .control("e"), .control("u")).text == "")
    }

    @Test func `A paste is one line, within the limit, and a combining mark joins its letter`() {
        #expect(input("ad", .left, .paste("b\nc\t")).text == "ab c d")
        #expect(input("ad", .left, .paste("bc")).cursor == 3)
        var limited = TextField.Input(limit: 3)
        limited.handle(.paste("abcdef"))
        #expect(limited.text == "abc")
        limited.handle(.backspace)
        limited.handle(.paste("e" + String(repeating: "\u{301}", count: 1000)))
        #expect(limited.text.count == 3)
        #expect(limited.text.utf8.count <= 14)
        #expect(input("e", .paste("\u{301}"), .character("x")).text == "e\u{301}x")
    }

    @Test(arguments: [Key.up, .enter, .escape, .alt("x"), .mouse(.wheelUp, at: .zero), .function(1)])
    func `Other keys are not its own`(key: Key) {
        var text = TextField.Input("abc")
        let isTaken = text.handle(key)
        #expect(!isTaken)
        #expect(text == TextField.Input("abc"))
    }
}

@MainActor
@Suite("A text field shows its text and its cursor", .countsResources)
struct TextFieldTests {
    @Test func `The cursor is inverse and stays visible in text that is too long`() {
        let field = TextField(TextField.Input("hello"), prompt: "/ ")
        let canvas = field.snapshot(in: Size(width: 10, height: 1))
        #expect(canvas.text == "/ hello")
        #expect((0..<10).filter { canvas[$0, 0]?.style == .inverse } == [7])
        field.input = TextField.Input("a long text")
        #expect(field.snapshot(in: Size(width: 10, height: 1)).text == "/ ng text")
        field.handle(.home)
        let start = field.snapshot(in: Size(width: 10, height: 1))
        #expect(start.text == "/ a long t")
        #expect(start[2, 0]?.style == .inverse)
        field.isFocused = false
        #expect(field.snapshot(in: Size(width: 10, height: 1))[2, 0]?.style == .plain)
    }

    @Test func `The text is a stream, and the placeholder is shown while it is empty`() {
        let field = TextField(placeholder: "name")
        let seen = Lock<[String]>([])
        let subscription = field.text.subscribe(onNext: { text in seen.withLock { $0.append(text) } })
        #expect(field.snapshot(in: Size(width: 8, height: 1)).text == " name")
        for key in [Key.character("a"), .left, .paste("b")] { field.handle(key) }
        subscription.dispose()
        #expect(seen.withLock(\.self) == ["", "a", "ba"])
    }
}

@MainActor
@Suite("The mouse reaches the view that it points at", .countsResources)
struct MouseTests {
    private func makeTable() -> Table {
        let table = Table(columns: [.init("Name"), .init("Price", width: .fixed(7))])
        table.rows = (0..<9).map { Table.Row(id: "\($0)", [.text(StyledText("row \($0)"))]) }
        return table
    }

    @Test func `A click selects a row, the wheel moves the selection, and a click on a title is emitted`() {
        let table = makeTable()
        let root = Stack(.vertical, [Label("above"), Border(table)])
        _ = root.snapshot(in: Size(width: 30, height: 10))
        let titles = Lock<[Int]>([])
        let subscription = table.headerClicks.subscribe(onNext: { title in titles.withLock { $0.append(title) } })
        #expect(table.handle(.mouse(.press(.left), at: Point(x: 5, y: 5))))
        #expect(table.selectedID == "2")
        #expect(table.handle(.mouse(.wheelDown, at: Point(x: 5, y: 5))))
        #expect(table.selectedID == "3")
        #expect(table.handle(.mouse(.press(.left), at: Point(x: 22, y: 2))))
        #expect(!table.handle(.mouse(.press(.left), at: Point(x: 0, y: 5))))
        #expect(!table.handle(.mouse(.wheelDown, at: Point(x: 5, y: 0))))
        #expect(!table.handle(.mouse(.release, at: Point(x: 5, y: 5))))
        subscription.dispose()
        #expect(titles.withLock(\.self) == [1])
        #expect(table.selectedID == "3")
    }

    @Test func `A hidden view and one outside of the window are not reached`() {
        let table = makeTable()
        let root = Stack(.vertical, [table])
        _ = root.snapshot(in: Size(width: 30, height: 10))
        root.isHidden = true
        #expect(!table.handle(.mouse(.press(.left), at: Point(x: 5, y: 5))))
        root.isHidden = false
        #expect(!table.handle(.mouse(.press(.left), at: Point(x: 50_000, y: 5))))
    }

    @Test func `A list is clicked too, where it has scrolled`() {
        let list = List((0..<9).map { StyledText("item \($0)") })
        list.selectedIndex = 8
        _ = list.snapshot(in: Size(width: 10, height: 3))
        #expect(list.handle(.mouse(.press(.left), at: Point(x: 1, y: 0))))
        #expect(list.selectedIndex == 6)
    }
}
