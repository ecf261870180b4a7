/// Numbers as a row of bars, the newest at the right.
public final class Sparkline: View {
    /// What is shown; where there are more numbers than columns, a column stands for several. A gap stays empty.
    public var series: Series { didSet { if series != oldValue { setNeedsDisplay() } } }
    /// What a bar of no height and one of full height stand for; nil takes it from the values that are to be seen.
    public var range: ClosedRange<Double>? { didSet { if range != oldValue { setNeedsDisplay() } } }
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    public init(_ series: Series = [], range: ClosedRange<Double>? = nil, style: Style = .plain) {
        self.series = series
        self.range = range
        self.style = style
        super.init()
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        for (row, line) in Self.bars(series, in: size, range: range).enumerated() {
            canvas.draw(line, at: Point(x: 0, y: row), style: style)
        }
    }

    /// The bars as text, a line a row, right-aligned. O(numbers + columns x rows).
    static func bars(_ series: Series, in size: Size, range: ClosedRange<Double>? = nil) -> [String] {
        let shown = series.steps(size.width)
        let finite = shown.filter(\.isFinite)
        guard let lowest = range?.lowerBound ?? finite.min(), let highest = range?.upperBound ?? finite.max() else { return [] }
        let top = size.height * 8
        let levels = shown.map { value -> Int in
            guard value.isFinite else { return 0 }
            guard highest > lowest else { return top / 2 }
            // The lowest bar keeps one eighth: a gap means that there is no number.
            let part = min(max((value - lowest) / (highest - lowest), 0), 1)
            return 1 + Int((part * Double(top - 1)).rounded())
        }
        let indent = String(repeating: " ", count: size.width - shown.count)
        return (0..<size.height).map { row in
            let base = (size.height - 1 - row) * 8
            return indent + String(levels.map { blocks[min(max($0 - base, 0), 8)] })
        }
    }

    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
