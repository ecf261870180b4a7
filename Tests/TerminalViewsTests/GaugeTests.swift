import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@MainActor
@Suite("A gauge shows a value within a range", .countsResources)
struct GaugeTests {
    private func gauge(_ value: Double?, in range: ClosedRange<Double> = 0...10) -> TerminalViews.Gauge {
        TerminalViews.Gauge("load", value: value, in: range) { "\(Int($0)) %" }
    }

    @Test(
        arguments: [
            (0, "load ░░░░░░░░  0 %"), (5, "load ████░░░░  5 %"), (10, "load ████████ 10 %"), (-3, "load ░░░░░░░░ -3 %"),
            (12, "load ████████ 12 %"), (nil, "load ░░░░░░░░"), (.nan, "load ░░░░░░░░"),
        ] as [(Double?, String)])
    func `The bar stays where it is, whatever the value`(value: Double?, shown: String) {
        #expect(text(gauge(value), 18, 1) == shown)
    }

    @Test(
        arguments: [
            (-10...10, -5, "██▌░░░░░░░"), (-20 ... -10, -15, "█████░░░░░"), (3...3, 3, "█████░░░░░"), (0...1e308, 5e307, "█████░░░░░"),
            (-.greatestFiniteMagnitude ... .greatestFiniteMagnitude, 0, "█████░░░░░"), (-.infinity ... .infinity, 5, "█████░░░░░"),
            (0 ... .infinity, 5, "░░░░░░░░░░"), (-.infinity...0, -5, "██████████"), (0...1, .infinity, "██████████"),
            (0...1, -.infinity, "░░░░░░░░░░"), (0 ... .leastNonzeroMagnitude, 0, "░░░░░░░░░░"),
        ] as [(ClosedRange<Double>, Double, String)])
    func `Any range and any value are shown`(range: ClosedRange<Double>, value: Double, bar: String) {
        #expect(text(TerminalViews.Gauge(value: value, in: range), 10, 1) == bar)
    }

    @Test(
        arguments: [
            (0, ""), (1, "▌"), (3, "█▌░"), (7, "███▌░░░"), (8, "██░░ 5 %"), (12, "████░░░░ 5 %"), (13, "load ██░░ 5 %"),
        ])
    func `A narrow view loses the label, then the text, and is whole again when it is wider`(width: Int, shown: String) {
        let view = TerminalViews.Gauge("load", value: 5, in: 0...10) { $0 == 5 ? "5 %" : "0 %" }
        #expect(text(view, width, 1) == shown)
        #expect(text(view, 13, 1) == "load ██░░ 5 %")
        #expect(text(view, 1000, 1).count == 1000)
    }

    @Test func `Its value is bound to a stream`() async {
        let view = TerminalViews.Gauge()
        let binding = Observable<Double?>.just(0.5).bind(to: view.rx.value)
        await mainLoopTurn()
        binding.dispose()
        #expect(text(view, 4, 1) == "██░░")
    }
}

@MainActor
@Suite("A chart is a line of braille where the terminal draws it", .countsResources)
struct BrailleChartTests {
    private func chart(_ values: [Double], form: Chart.Form = .line) -> Chart {
        let chart = Chart(axis: .init(0...Double(max(1, values.count - 1)))) { $0.magnitude < 1e9 ? "\(Int($0))" : "\($0)" }
        chart.form = form
        chart.points = values.enumerated().map { .init(x: Double($0.offset), y: $0.element) }
        return chart
    }

    @Test(
        arguments: [
            ([0, 1, 2, 3], 2, "⡠⠊"), ([3, 2, 1, 0], 2, "⠑⢄"), ([0, 3, 0, 3], 2, "⡸⡾"), ([0, 0, 0, 0], 2, "⣀⣀"),
            ([3, .nan, 3, 3], 2, "×⠉"), ([3, 3, 3, 3], 2, "⠉⠉"), ([.infinity, .nan], 2, "××"), ([], 3, ""),
        ] as [([Double], Int, String)])
    func `Dots are joined, a gap ends the line, and a fault is a mark`(values: [Double], width: Int, shown: String) {
        #expect(text(chart(values), width, 1) == shown)
    }

    @Test(
        arguments: [
            ([(0, 0), (7, 7)], 0, "⣀⠤⠒⠉"), ([(0, 3), (7, 3)], 0, "⠉⠉⠉⠉"), ([(0, 3), (2, 3), (7, 3)], 2, "⠉⠉⠁⠈"),
            ([(0, 3), (3, .nan), (7, 3)], 0, "⠁× ⠈"), ([(0, 3), (2, 0), (7, 0)], 0, "⠑⣄⣀⣀"), ([(4, 3), (1, 3)], 0, "⠈ ⠁"),
            ([(-9, 3), (2, 3), (99, 3)], 0, " ⠁"), ([(0, -1e308), (7, 1e308)], 0, "⣀⠤⠒⠉"),
        ] as [([(Double, Double)], Double, String)])
    func `Few points are joined over many columns, unless they are further apart than it holds`(
        points: [(Double, Double)], hold: Double, shown: String
    ) {
        let chart = Chart(axis: .init(0...7)) { "\($0)" }
        chart.form = .line
        chart.hold = hold
        chart.points = points.map { .init(x: $0.0, y: $0.1) }
        #expect(text(chart, 4, 1) == shown)
    }

    @Test func `It has twice the columns and four times the rows of its cells, and the labels of a chart of bars`() {
        #expect(text(chart([0, 4, 8, 4, 0, 4, 8, 4]), 7, 4) == "8 ┤⢀⢷⢀⢷\n0 ┤⡸ ⡿\n  └────\n")
    }

    @Test func `A terminal without braille gets the bars`() {
        let size = Size(width: 12, height: 5)
        let values: [Double] = [1, 5, 2, .nan, -4, 9, 9, 9]
        #expect(chart(values).snapshot(in: size, drawsBraille: false) == chart(values, form: .bars).snapshot(in: size, drawsBraille: false))
        #expect(chart(values).snapshot(in: size).text.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    }

    @Test(
        arguments: [[], [.nan], [.infinity, 1], [-1e308, 1e308], [-5, -4], [0, 0, 0], Array(repeating: 5, count: 5000)] as [[Double]])
    func `No value and no size is too much for it, and each size is drawn anew`(values: [Double]) {
        let chart = chart(values)
        for size in [(0, 0), (1, 1), (2, 1), (3, 2), (9, 4), (1000, 500), (9, 4)] {
            #expect(chart.snapshot(in: Size(width: size.0, height: size.1)).size.width == size.0)
        }
        let before = chart.snapshot(in: Size(width: 30, height: 8)).text
        _ = chart.snapshot(in: Size(width: 7, height: 3))
        #expect(chart.snapshot(in: Size(width: 30, height: 8)).text == before)
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], true), (["TERM": "xterm", "LANG": "C"], false), (["TERM": "linux", "LANG": "C.UTF-8"], false),
            (["TERM": "linux-16color"], false), (["TERM": "vt220"], false), (["TERM": "screen", "LC_ALL": "de_DE.utf8"], true),
        ] as [([String: String], Bool)])
    func `A locale without UTF-8 and the consoles have none`(environment: [String: String], draws: Bool) throws {
        let pair = try #require(PseudoTerminal(size: Size(width: 9, height: 3)))
        let terminal = try #require(Terminal(input: pair.program, output: pair.program, environment: environment))
        #expect(terminal.drawsBraille == draws)
    }

    @Test func `A spinner without braille turns like those of old`() {
        let spinner = Spinner()
        spinner.isSpinning = true
        let signs = (0..<5).map { step in
            spinner.step = step
            return spinner.snapshot(in: Size(width: 1, height: 1), drawsBraille: false).text
        }
        #expect(signs == ["|", "/", "-", "\\", "|"])
    }
}
