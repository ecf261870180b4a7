import StreamsTesting
import TerminalViews
import Testing

@Suite("A series stores the last values and shows them in as many steps as fit", .countsResources)
struct SeriesTests {
    @Test func `The oldest values are dropped`() {
        var series = Sparkline.Series(capacity: 3)
        for value in 1...5 { series.append(Double(value)) }
        #expect(series.values == [3, 4, 5])
    }

    @Test func `Each value is a step if they fit, otherwise a step is the mean of several`() {
        let series: Sparkline.Series = [1, 2, 3, 4, 5, 6]
        #expect(series.steps(6) == [1, 2, 3, 4, 5, 6])
        #expect(series.steps(3) == [1.5, 3.5, 5.5])
        #expect(series.steps(1) == [3.5])
        #expect(series.steps(0) == [])
        #expect(Sparkline.Series(capacity: 3).steps(3) == [])
    }

    @Test func `A partial step is the mean of its values; an empty one is a gap`() {
        let series: Sparkline.Series = [1, .nan, .nan, .nan]
        let steps = series.steps(2)
        #expect(steps.first == 1)
        #expect(steps.last?.isNaN == true)
    }

    @Test func `Steps keep their values while new ones are appended`() {
        var series = Sparkline.Series(capacity: 40)
        for value in 0..<100 { series.append(Double(value)) }
        var before = series.steps(10)
        for value in 100..<200 {
            series.append(Double(value))
            let after = series.steps(10)
            #expect(after.dropFirst().dropLast().allSatisfy(before.contains), "\(before) -> \(after)")
            before = after
        }
    }

    @Test func `The mean is correct even if the sum overflows`() {
        #expect(Sparkline.Series([1e308, 1e308, -1e308, 1e308]).steps(2) == [1e308, 0])
        #expect(
            Sparkline.Series([.greatestFiniteMagnitude, .greatestFiniteMagnitude, .infinity, .nan]).steps(1) == [.greatestFiniteMagnitude])
        #expect(Sparkline.Series([.infinity, .nan]).steps(1).map(\.isNaN) == [true])
        #expect(Sparkline.Series([1, 2]).steps(.max) == [1, 2])
        #expect(Sparkline.Series([1, 2]).steps(.min).isEmpty)
    }
}

@MainActor
@Suite("Bars show what there is", .countsResources)
struct BarTests {
    @Test(
        arguments: [
            ([0, 0, 0], "▁▁▁"), ([-0.0, 0, .nan], "▁▁"), ([3, 3, 3], "▄▄▄"), ([-2, -2], "▄▄"), ([0, 7], "▁█"), ([0, 0, 7], "▁▁█"),
        ] as [([Double], String)])
    func `A row of zeros has the lowest bars, and other equal values have half bars`(values: [Double], bars: String) {
        let shown = Sparkline(Sparkline.Series(values)).snapshot(in: Size(width: values.count, height: 1)).text
        #expect(shown == bars)
    }

    @Test func `A chart of zeros has the lowest bars too`() {
        let chart = Chart(axis: Chart.Axis(0...3)) { "\($0)" }
        chart.points = (0..<3).map { Chart.Point(x: Double($0), y: 0) }
        let shown = chart.snapshot(in: Size(width: 12, height: 6)).text
        #expect(shown.contains("▁") && !shown.contains("█") && !shown.contains("▄"))
    }
}
