import StreamsTesting
import TerminalViews
import Testing

@MainActor
@Suite("Views that show parts of others", .countsResources)
struct ContainerTests {
    @Test func `A scroll view shows a part, with a scroll bar, and scrolls with keys and the wheel, no further than to the end`() {
        let view = ScrollView(Label(StyledText((0..<6).map { "line \($0)" }.joined(separator: "\n"))))
        #expect(text(view, 8, 3) == "line 0 ▐\nline 1\nline 2")
        view.handle(.down)
        #expect(text(view, 8, 3) == "line 1 ▐\nline 2\nline 3")
        view.handle(.end)
        view.handle(.pageDown)
        #expect(text(view, 8, 3) == "line 3\nline 4\nline 5 ▐")
        view.handle(.mouse(.wheelUp, at: .zero))
        #expect(text(view, 8, 3) == "line 0 ▐\nline 1\nline 2")
        #expect(!view.handle(.mouse(.wheelDown, at: Point(x: 0, y: 3))))
        #expect(!view.handle(.character("x")))
        #expect(text(view, 8, 7) == "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\n")
    }

    @Test func `Content that gets shorter is shown from where its last page begins`() {
        let label = Label("a\nb\nc\nd")
        let view = ScrollView(label)
        _ = text(view, 4, 2)
        view.handle(.end)
        label.text = "a\nb\nc"
        #expect(text(view, 4, 2) == "b\nc  ▐")
    }

    @Test func `Tabs show one view, turned by tab and by a click`() {
        let tabs = Tabs([("One", Label("first")), ("Two", Label("second"))])
        let seen = Lock<[Int]>([])
        let subscription = tabs.selection.subscribe(onNext: { index in seen.withLock { $0.append(index) } })
        #expect(text(tabs, 10, 2) == "One  Two\nfirst")
        tabs.handle(.tab)
        #expect(text(tabs, 10, 2) == "One  Two\nsecond")
        #expect(text(tabs, 10, 1) == "second")
        #expect(text(tabs, 10, 2) == "One  Two\nsecond")
        tabs.handle(.tab)
        tabs.handle(Key(.tab, .shift))
        #expect(tabs.handle(.mouse(.press(.left), at: Point(x: 1, y: 0))))
        #expect(!tabs.handle(.mouse(.press(.left), at: Point(x: 4, y: 0))))
        #expect(!tabs.handle(.mouse(.press(.left), at: Point(x: 1, y: 1))))
        #expect(!tabs.handle(.enter))
        subscription.dispose()
        #expect(seen.withLock(\.self) == [0, 1, 0, 1, 0])
        tabs.titles = ["One"]
        #expect(text(tabs, 10, 2) == "first\n")
    }

    @Test func `A label wraps at spaces, and cuts what has none`() {
        let label = Label("one two three\nabcdefghij")
        label.wraps = true
        #expect(text(label, 8, 5) == "one two\nthree\nabcdefgh\nij\n")
        #expect(label.fittingSize(in: Size(width: 8, height: 9)) == Size(width: 8, height: 4))
        label.content = StyledText("ab ", .bold) + StyledText("日本語", Style(.red))
        #expect(text(label, 5, 3) == "ab\n日本\n語")
    }
}

@MainActor
@Suite("A chart shows values between axes", .countsResources)
struct ChartTests {
    private func makeChart(_ values: [Double], axis: Chart.Axis = .init(0...9, from: "then", to: "now")) -> Chart {
        let chart = Chart(axis: axis) { "\(Int($0)) ms" }
        chart.points = values.enumerated().map { .init(x: Double($0.offset), y: $0.element) }
        return chart
    }

    @Test func `Bars stand on a baseline of zero, with labels at both ends of both axes`() {
        let chart = makeChart([80, 80, 40, 40, 80, 80, 80, 80, 80, 80])
        #expect(
            text(chart, 17, 5) == """
                80 ms ┤██  ██████
                      │██▅▅██████
                 0 ms ┤██████████
                      └──────────
                       then   now
                """)
        chart.baseline = nil
        #expect(text(chart, 10, 2) == "██  ██████\n██▁▁██████")
    }

    @Test func `Faults without a value say so in place of the labels`() {
        let chart = makeChart([.nan, .nan])
        chart.placeholder = "none"
        #expect(text(chart, 16, 4) == "     ┤\nnone ┤××\n     └──────────\n      then   now")
        chart.points += [.init(x: 2, y: 5)]
        #expect(text(chart, 16, 4).contains("5 ms ┤"))
        chart.points = []
        #expect(text(chart, 16, 4).contains("0 ms ┤"))
    }

    @Test func `A small change of large values looks small`() {
        let calm = text(makeChart([100, 101, 100, 101, 100, 101, 100, 101, 100, 101]), 18, 6)
        #expect(calm.split(separator: "\n")[1].hasSuffix("██████████"))
    }

    @Test func `Where points share a column the highest is shown; a fault is a mark on the axis`() {
        let chart = Chart(axis: .init(0...99)) { "\(Int($0))" }
        chart.points = (0..<100).map { .init(x: Double($0), y: $0 == 42 ? 8 : $0 == 77 ? .nan : 0) }
        let canvas = chart.snapshot(in: Size(width: 10, height: 2))
        #expect(canvas[4, 0]?.character == "█")
        #expect(canvas[3, 0]?.character == " ")
        #expect(canvas[7, 1]?.character == "×")
        #expect(canvas[7, 1]?.style == Style(.red, on: .standard, .bold))
    }

    @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, 1, 1e-300, .greatestFiniteMagnitude])
    func `Any number draws something: in no order, not finite, or extended by anything`(hold: Double) {
        let numbers: [Double] = [5, -1e300, 1e300, .nan, -.infinity, .infinity, 0, 9, .leastNonzeroMagnitude, 4]
        let axes: [ClosedRange<Double>] = [0...9, -1e300...1e300, -.infinity ... .infinity, 0...0, 0 ... .leastNonzeroMagnitude]
        for axis in axes {
            for baseline in [nil] + numbers.map(Optional.some) {
                let chart = Chart(axis: .init(axis)) { "\($0)" }
                (chart.hold, chart.baseline) = (hold, baseline)
                for y in numbers {
                    chart.points = numbers.map { .init(x: $0, y: y) }
                    #expect(chart.snapshot(in: Size(width: 30, height: 5)).size == Size(width: 30, height: 5))
                }
            }
        }
    }

    @Test func `A point before one that is further left, and what is no place, is not extended over it`() {
        let chart = Chart(axis: .init(0...9)) { "\(Int($0))" }
        chart.hold = 2
        chart.points = [.init(x: 5, y: 1), .init(x: -1e300, y: 1), .init(x: 0, y: 1)]
        #expect(text(chart, 10, 1) == "███  █")
        chart.points = [.init(x: 0, y: 1), .init(x: .nan, y: 1), .init(x: 5, y: 1)]
        #expect(text(chart, 10, 1) == "███  ███")
        chart.hold = .nan
        #expect(text(chart, 10, 1) == "█    █")
        chart.baseline = .infinity
        #expect(text(chart, 10, 1) == "▄    ▄")
    }

    @Test func `Few points fill the columns up to the next, or as far as they hold`() {
        let chart = Chart(axis: .init(0...9)) { "\(Int($0))" }
        chart.points = [.init(x: 0, y: 1), .init(x: 5, y: 1)]
        #expect(text(chart, 10, 1) == "█    █")
        chart.hold = 2
        #expect(text(chart, 10, 1) == "███  ███")
        chart.hold = 100
        #expect(text(chart, 10, 1) == "██████████")
    }

    @Test(arguments: [[], [.nan], [.infinity, 1], [-1e308, 1e308], [0, 0, 0], Array(repeating: 5, count: 5000)] as [[Double]])
    func `No value and no size is too much for it`(values: [Double]) {
        for size in [(0, 0), (1, 1), (3, 2), (9, 4), (300, 80)] {
            let chart = Chart(axis: .init(0...9, from: "a long text", to: "another long text")) { "\($0)" }
            chart.points = values.enumerated().map { .init(x: Double($0.offset), y: $0.element) }
            chart.hold = .infinity
            #expect(chart.snapshot(in: Size(width: size.0, height: size.1)).size.width == size.0)
        }
        let empty = Chart(axis: .init(3...3)) { "\($0)" }
        empty.points = [.init(x: 3, y: 1)]
        #expect(empty.snapshot(in: Size(width: 20, height: 5)).text.contains("└"))
    }
}
