import StreamsTesting
import TerminalViews
import Testing

@MainActor
@Suite("One view of a screen has the keys", .countsResources)
struct FocusTests {
    private let list = List(["one", "two"])
    private let field = TextField(prompt: "name ")
    private let button = Button("Save")
    private var root: Stack { Stack(.vertical, [list, field, button]) }

    private func names(_ views: [View?]) -> [String] {
        views.map { $0 === list ? "list" : $0 === field ? "field" : $0 === button ? "button" : $0 == nil ? "none" : "other" }
    }

    @Test func `The first view that can have them has them, and Tab and Shift-Tab go round`() {
        let focus = Focus(in: root)
        let seen = Lock<[View?]>([])
        let subscription = focus.changes.subscribe(onNext: { view in seen.withLock { $0.append(view) } })
        for key in [Key.tab, .tab, .tab, Key(.tab, .shift), Key(.tab, .shift)] { #expect(focus.handle(key)) }
        subscription.dispose()
        #expect(names(seen.withLock(\.self)) == ["list", "field", "button", "list", "button", "field"])
    }

    @Test func `A key is taken by the focused view only, and a letter is text in a field and a command elsewhere`() {
        let quits = Lock(0)
        let focus = Focus(in: root, bindings: [Key.Binding("quit", .character("q")) { quits.withLock { $0 += 1 } }])
        focus.handle(.down)
        focus.handle(.character("q"))
        #expect(list.selectedIndex == 0 && field.input.text.isEmpty && quits.withLock(\.self) == 1)
        focus.focusedView = field
        focus.handle(.character("q"))
        #expect(!focus.handle(.down))
        #expect(list.selectedIndex == 0 && field.input.text == "q" && quits.withLock(\.self) == 1)
    }

    @Test func `Each view knows whether it has them: as a property, a binder and a stream, and shows it`() async {
        let focus = Focus(in: root)
        let seen = Lock<[Bool]>([])
        let subscription = field.focused.subscribe(onNext: { isFocused in seen.withLock { $0.append(isFocused) } })
        #expect(list.isFocused && !field.isFocused && !button.isFocused)
        list.selectedIndex = 0
        #expect(list.snapshot(in: Size(width: 4, height: 2))[0, 0]?.style == .inverse)
        #expect(field.snapshot(in: Size(width: 8, height: 1))[5, 0]?.style == .plain)
        let binding = Observable.just(true).bind(to: field.rx.isFocused)
        await mainLoopTurn()
        binding.dispose()
        #expect(focus.focusedView === field && field.isFocused && !list.isFocused)
        #expect(field.snapshot(in: Size(width: 8, height: 1))[5, 0]?.style == .inverse)
        #expect(list.snapshot(in: Size(width: 4, height: 2))[0, 0]?.style == Style.inverse.with(.dim))
        field.isFocused = false
        #expect(focus.focusedView == nil)
        subscription.dispose()
        #expect(seen.withLock(\.self) == [false, true, false])
    }

    @Test func `If no view has them the bindings get all keys, until Tab`() {
        let pressed = Lock(0)
        let focus = Focus(in: root, bindings: [Key.Binding("down", .down) { pressed.withLock { $0 += 1 } }])
        focus.focusedView = nil
        focus.handle(.down)
        #expect(pressed.withLock(\.self) == 1 && list.selectedIndex == nil)
        focus.handle(Key(.tab, .shift))
        #expect(focus.focusedView === button)
    }

    @Test func `A view that is hidden, removed or no longer able loses them to the nearest that can have them`() {
        let root = root
        let focus = Focus(in: root)
        focus.focusedView = field
        field.isHidden = true
        #expect(focus.focusedView === list)
        #expect(list.isFocused && !field.isFocused)
        focus.handle(.tab)
        #expect(focus.focusedView === button)
        button.isEnabled = false
        #expect(focus.focusedView === list)
        field.isHidden = false
        focus.focusedView = field
        root.subviews = [list]
        #expect(focus.focusedView === list)
        #expect(!focus.handle(.tab))
        root.subviews = []
        #expect(focus.focusedView == nil)
        root.subviews = [button, field]
        #expect(focus.focusedView === field)
    }

    @Test func `Pages of tabs: a page that appears gets them, and a Tab that nobody else wants turns it`() {
        let first = List(["a"])
        let second = List(["b"])
        let tabs = Tabs([("One", first), ("Two", second)])
        let focus = Focus(in: Stack(.vertical, [tabs]))
        #expect(focus.focusedView === first)
        #expect(focus.handle(.tab))
        #expect(tabs.selectedIndex == 1 && focus.focusedView === second)
    }

    @Test func `A dialog has all keys and clicks while it is the scope, and then they return`() {
        let yes = Button("Yes")
        let no = Button("No")
        let dialog = Centered(Stack(.horizontal, [yes, no]))
        dialog.isHidden = true
        let screen = Layers([root, dialog])
        let focus = Focus(in: screen)
        focus.focusedView = field
        dialog.isHidden = false
        focus.scope = dialog
        #expect(focus.focusedView === yes)
        focus.handle(.tab)
        focus.handle(.tab)
        #expect(focus.focusedView === yes)
        _ = screen.snapshot(in: Size(width: 30, height: 5))
        #expect(!focus.handle(.mouse(.press(.left), at: Point(x: 0, y: 0))))
        #expect(focus.focusedView === yes)
        dialog.isHidden = true
        focus.scope = nil
        #expect(focus.focusedView === field)
    }

    @Test func `A click gives them to the view that it points at, and the wheel turns without them`() {
        let root = root
        let focus = Focus(in: root)
        _ = root.snapshot(in: Size(width: 20, height: 6))
        let presses = Lock(0)
        let subscription = button.presses.subscribe(onNext: { presses.withLock { $0 += 1 } })
        #expect(focus.handle(.mouse(.press(.left), at: Point(x: 2, y: 5))))
        #expect(focus.focusedView === button && presses.withLock(\.self) == 1)
        #expect(focus.handle(.mouse(.wheelDown, at: Point(x: 0, y: 0))))
        #expect(focus.focusedView === button && list.selectedIndex == 0)
        #expect(focus.handle(.mouse(.press(.left), at: Point(x: 9, y: 3))))
        #expect(focus.focusedView === list)
        #expect(!focus.handle(.mouse(.press(.left), at: Point(x: 50, y: 50))))
        subscription.dispose()
    }

    @Test func `Keys that the focused view leaves go to the views around it`() {
        let outer = Taking(.character("x"), [Taking(.character("y"), [list])])
        let focus = Focus(in: outer)
        #expect(focus.handle(.character("x")) && focus.handle(.character("y")) && focus.handle(.down))
        #expect(!focus.handle(.character("z")))
    }

    @Test func `A stream of keys is bound to it`() async {
        let keys = PublishSubject<Key>()
        let focus = Focus(in: root)
        let binding = keys.bind(to: focus.rx.keys)
        keys.onNext(.tab)
        keys.onNext(.character("é"))
        await mainLoopTurn()
        binding.dispose()
        #expect(field.input.text == "é")
    }
}

/// A container that takes one key.
private final class Taking: View {
    private let key: Key

    init(_ key: Key, _ views: [View]) {
        self.key = key
        super.init()
        subviews = views
    }

    override func handle(_ key: Key) -> Bool { key == self.key }
}

@MainActor
@Suite("A button is pressed", .countsResources)
struct ButtonTests {
    @Test func `With Enter, the space bar or a click, if it is enabled`() {
        let button = Button("OK")
        let presses = Lock(0)
        let subscription = button.presses.subscribe(onNext: { presses.withLock { $0 += 1 } })
        #expect(text(button, 6, 1) == "[ OK ]")
        for key in [Key.enter, .character(" "), .mouse(.press(.left), at: Point(x: 5, y: 0))] { #expect(button.handle(key)) }
        for key in [Key.character("x"), .mouse(.press(.left), at: Point(x: 6, y: 0)), .mouse(.release, at: .zero)] {
            #expect(!button.handle(key))
        }
        button.isEnabled = false
        #expect(!button.handle(.enter))
        subscription.dispose()
        #expect(presses.withLock(\.self) == 3)
    }

    @Test(arguments: [(0, ""), (1, "…"), (3, "[ …"), (4, "[  ]"), (7, "[ Sa… ]"), (8, "[ Save ]"), (20, "[ Save ]")])
    func `Any width shows what fits`(width: Int, shown: String) {
        #expect(text(Button("Save"), width, 1) == shown)
    }
}

@Suite("One table of keys acts and explains", .countsResources)
struct KeyBindingsTests {
    private let keys: Key.Bindings<String> = [
        Key.Binding("select", [.up: "up", .down: "down"], hint: .init("select", key: "↑↓", rank: 2)),
        Key.Binding("delete a word", .control("w"), action: "delete"),
        Key.Binding("pause", .character(" "), .character("p"), hint: .init("pause", key: "space", rank: 1), action: "pause"),
        Key.Binding("a request is in progress", label: "●"),
        Key.Binding("quit", .character("q"), hint: "quit", action: "quit"),
    ]

    @Test func `A key has the action of its line, the first if there are two`() {
        #expect(keys[.up] == "up" && keys[.character(" ")] == "pause" && keys[.character("p")] == "pause")
        #expect(keys[.control("w")] == "delete")
        #expect(keys[.character("x")] == nil && keys[.paste("q")] == nil)
        #expect(Key.Bindings(keys.lines + [Key.Binding("other", .up, action: "other")])[.up] == "up")
    }

    @Test func `The help has a line for each, below each other`() {
        #expect(
            keys.help().string == """
                ↑  ↓      select
                ^W        delete a word
                Space  p  pause
                ●         a request is in progress
                q         quit
                """)
    }

    @Test(
        arguments: [
            (0, ""), (6, ""), (7, " q quit"), (19, " q quit"), (20, " space pause  q quit"), (200, " ↑↓ select  space pause  q quit"),
        ])
    func `The footer has the most important hints that fit, in the order of the help`(width: Int, hints: String) {
        let shown = keys.hints(in: width).string
        #expect(shown == hints && shown.count <= width)
    }

    @Test(
        arguments: [
            (.control("w"), "^W"), (.character(" "), "Space"), (.pageUp, "PgUp"), (.enter, "Enter"), (.escape, "Esc"), (.function(1), "F1"),
            (.alt("x"), "Alt-x"), (Key(.tab, .shift), "Shift-Tab"), (.control("\\"), "^\\"), (Key(.left, .control), "Ctrl-←"),
            (.character("é"), "é"), (.backspace, "Backspace"), (Key(.character(" "), .control), "Ctrl-Space"),
        ] as [(Key, String)]) func `A key has a name`(key: Key, name: String)
    {
        #expect(key.label == name)
    }
}
