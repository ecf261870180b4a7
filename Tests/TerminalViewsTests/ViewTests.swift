import StreamsTesting
import Testing

@testable import TerminalViews

@MainActor
@Suite("Views draw themselves", .countsResources)
struct ViewTests {
    @Test func `A label shows its lines, clipped and aligned`() {
        let label = Label("hello\nwonderful world")
        #expect(text(label, 9, 3) == "hello\nwonderfu…\n")
        label.alignment = .trailing
        label.text = "日本"
        #expect(text(label, 9, 1) == "     日本")
        label.content = StyledText("a", .bold) + StyledText("b", Style(.red))
        #expect(label.text == "ab")
        let styles = (0..<3).map { label.snapshot(in: Size(width: 3, height: 1))[$0, 0]?.style }
        #expect(styles == [.plain, .bold, Style(.red)])
    }

    @Test func `A label can be a whole colored line`() {
        let label = Label("x", style: Style(.red, on: .blue))
        let canvas = label.snapshot(in: Size(width: 3, height: 1))
        #expect((0..<3).map { canvas[$0, 0]?.style } == Array(repeating: Style(.red, on: .blue), count: 3))
    }

    @Test func `A sparkline shows numbers from the lowest to the highest, and gaps`() {
        let line = Sparkline([9, 0, 1, 2, 3, 4, 5, 6, 7])
        #expect(text(line, 10, 1) == " █▁▂▃▃▄▅▆▆")
        line.series = [1, .nan, 1]
        #expect(text(line, 3, 1) == "▄ ▄")
        line.range = 0...10
        line.series = [0, 5, 10, 20, -3]
        #expect(text(line, 5, 1) == "▁▅██▁")
        line.range = nil
        line.series = [0, 15]
        #expect(text(line, 2, 2) == " █\n▁█")
        line.series = []
        #expect(text(line, 4, 1) == "")
        line.series = [.infinity, .nan]
        #expect(text(line, 4, 1) == "")
    }

    @Test func `A sparkline shows numbers and ranges of any size`() {
        let line = Sparkline([1e308, -1e308, 0])
        #expect(text(line, 3, 1) == "█▁▅")
        line.series = [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude]
        #expect(text(line, 3, 1) == "█▁▅")
        line.series = [0, .leastNonzeroMagnitude]
        #expect(text(line, 2, 1) == "▁█")
        line.series = [1, 2]
        for range in [-Double.infinity...(.infinity), -.infinity...0, 0...(.infinity), -1e308...1e308] {
            line.range = range
            #expect(text(line, 2, 1).count == 2)
        }
    }

    @Test func `A progress bar fills in eighths of a cell`() {
        let bar = ProgressBar(progress: 0.5)
        #expect(text(bar, 13, 1) == "████░░░░  50%")
        bar.progress = 1
        #expect(text(bar, 13, 1) == "████████ 100%")
        bar.progress = 0.03
        #expect(text(bar, 13, 1) == "▎░░░░░░░   3%")
        bar.progress = 7
        #expect(text(bar, 13, 1) == "████████ 100%")
        bar.progress = nil
        #expect(text(bar, 4, 1) == "░░░░")
    }

    @Test func `A spinner animates with its steps during an activity`() {
        let spinner = Spinner()
        #expect(text(spinner, 1, 1) == "")
        spinner.isSpinning = true
        #expect(text(spinner, 1, 1) == "⠋")
        spinner.step = 11
        #expect(text(spinner, 1, 1) == "⠙")
        spinner.step = -1
        #expect(text(spinner, 1, 1) == "⠏")
    }

    @Test func `The status bar shows both sides and the load indicator`() {
        let bar = StatusBar(leading: "q quit  ? help", trailing: "live")
        #expect(text(bar, 30, 1) == " q quit  ? help        live ○")
        bar.isLoading = true
        #expect(text(bar, 30, 1) == " q quit  ? help        live ●")
        #expect(text(bar, 18, 1) == " q quit  … live ●")
        #expect(text(bar, 3, 1).count <= 3)
    }

    @Test func `A border frames a view and shows its title`() {
        let border = Border(Label("inside"), title: "Title")
        #expect(text(border, 12, 3) == "┌ Title ───┐\n│ inside   │\n└──────────┘")
        #expect(text(border, 4, 2) == "┌──┐\n└──┘")
        #expect(text(border, 1, 1) == "")
        #expect(border.fittingSize(in: Size(width: 80, height: 24)) == Size(width: 10, height: 3))
    }

    @Test func `A list scrolls to the selected line`() {
        let list = List((1...9).map { "line \($0)" })
        #expect(text(list, 6, 3) == "line 1\nline 2\nline 3")
        list.handle(.end)
        #expect(list.selectedIndex == 8)
        #expect(text(list, 6, 3) == "line 7\nline 8\nline 9")
        list.handle(.pageUp)
        list.handle(.up)
        #expect(text(list, 6, 3) == "line 6\nline 7\nline 8")
        #expect(!list.handle(.enter))
        list.items = ["only"]
        #expect(text(list, 6, 3) == "only\n\n")
        list.items = []
        #expect(list.handle(.down))
        #expect(text(list, 6, 1) == "")
    }

    @Test func `A removed view redraws its former superview no more, and one that has moved keeps its new superview`() {
        let (label, former, superview) = (Label("a"), View(), View())
        former.subviews = [label]
        superview.subviews = [label]
        former.subviews = []
        var redraws = 0
        superview.onChange = { redraws += 1 }
        label.text = "b"
        #expect(redraws == 1)
        superview.place(Rect(x: 3, y: 1, width: 5, height: 1))
        #expect(label.position(of: Point(x: 4, y: 1)) == Point(x: 1, y: 0))
        superview.subviews = []
        label.text = "c"
        #expect(redraws == 2)
        #expect(label.position(of: Point(x: 4, y: 0)) == Point(x: 4, y: 0))
    }

    @Test func `An overlay is centered on a cleared background`() {
        let dialog = Centered(Border(Label("hi"), title: ""))
        let layers = Layers([Label("0123456789\n0123456789\n0123456789"), dialog])
        #expect(text(layers, 10, 3) == "01┌────┐89\n01│ hi │89\n01└────┘89")
        dialog.isHidden = true
        #expect(text(layers, 10, 1) == "0123456789")
    }

    @Test(arguments: [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (3, 1), (5, 3)])
    func `Views are drawn in any size without trapping`(width: Int, height: Int) {
        let table = Table(columns: [.init("A"), .init("B", width: .fit)])
        table.rows = (0..<5).map { Table.Row(id: "\($0)", ["x", .sparkline([1, 2])]) }
        let views: [View] = [
            Label("日本\nx"), Sparkline([1, 2]), ProgressBar(progress: 0.5), Spinner(), StatusBar(leading: "a", trailing: "b"),
            List(["a", "b"]),
            Border(Label("x"), title: "t"), table, Stack(.horizontal, spacing: 1, [Label("a"), Label("b")]), Centered(Border(Label("x"))),
        ]
        for view in views {
            let size = view.snapshot(in: Size(width: width, height: height)).size
            #expect(size.width <= max(0, width) && size.height <= max(0, height))
        }
    }
}

@MainActor
@Suite("Stacks distribute their space", .countsResources)
struct StackTests {
    @Test(arguments: [
        ([View.Length.fixed(3), .flexible()], [0, 0], 10, 0, [3, 7]),
        ([.flexible(), .flexible()], [0, 0], 11, 1, [5, 5]),
        ([.flexible(weight: 2), .flexible()], [0, 0], 9, 0, [6, 3]),
        ([.flexible(maximum: 2), .flexible()], [0, 0], 10, 0, [2, 8]),
        ([.flexible(minimum: 6), .flexible()], [0, 0], 10, 0, [8, 2]),
        ([.fit, .flexible()], [4, 0], 10, 0, [4, 6]),
        ([.fixed(8), .fixed(8), .fixed(2)], [0, 0, 0], 12, 0, [8, 4, 0]),
        ([.flexible(maximum: 2), .flexible(maximum: 3)], [0, 0], 10, 0, [2, 3]),
        ([.flexible(), .flexible(), .flexible()], [0, 0, 0], 10, 0, [3, 3, 4]),
        ([.flexible(weight: 0)], [0], 4, 0, [4]),
        ([], [], 4, 1, []),
    ])
    func `Lengths get what they ask for, and the rest is shared by weight`(
        lengths: [View.Length], fitting: [Int], available: Int, spacing: Int, expected: [Int]
    ) {
        #expect(View.Length.distribute(lengths, fitting: fitting, available: available, spacing: spacing) == expected)
    }

    @Test func `Views are placed beside and below each other; a hidden one takes no space`() {
        let header = Label("head")
        let left = Label("l\nl")
        left.height = .flexible()
        left.width = .fixed(3)
        let right = Label("r")
        right.height = .flexible()
        let stack = Stack(.vertical, [header, Stack(.horizontal, spacing: 1, [left, right]), StatusBar(leading: "foot")])
        #expect(stack.snapshot(in: Size(width: 10, height: 4)).text == "head\nl   r\nl\n foot   ○")
        header.isHidden = true
        left.isHidden = true
        #expect(stack.snapshot(in: Size(width: 10, height: 2)).text == "r\n foot   ○")
    }

    @Test func `Each change of a subview reaches the root once`() {
        let label = Label("a")
        let root = Stack(.vertical, [Border(label)])
        var changes = 0
        root.onChange = { changes += 1 }
        label.text = "b"
        label.text = "b"
        label.isHidden = true
        #expect(changes == 2)
    }
}
