/// A row of bars, the newest value at the right.
public final class Sparkline: View {
    /// The values; if there are more values than columns, each column represents several. A gap is empty.
    public var series: Series { didSet { if series != oldValue { setNeedsDisplay() } } }
    /// The values of an empty and a full bar; `nil` uses the range of the visible values.
    public var range: ClosedRange<Double>? { didSet { if range != oldValue { setNeedsDisplay() } } }
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    public init(_ series: Series = [], range: ClosedRange<Double>? = nil, style: Style = .plain) {
        self.series = series
        self.range = range
        self.style = style
        super.init()
    }

    public override func draw(in canvas: inout Canvas) {
        Self.draw(series, range: range, style: style, in: &canvas)
    }

    /// Fills the canvas with bars, right-aligned. O(numbers + columns x rows).
    static func draw(_ series: Series, range: ClosedRange<Double>? = nil, style: Style, in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let levels = levels(series.steps(size.width), top: size.height * 8, range: range)
        let cells = blocks.map { Cell($0, style: style) }
        for (index, level) in levels.enumerated() {
            let x = size.width - levels.count + index
            for eighths in stride(from: 0, to: level, by: 8) {
                guard let cell = cells[min(level - eighths, 8) - 1] else { continue }
                canvas.put(cell, at: Point(x: x, y: size.height - 1 - eighths / 8))
            }
        }
    }

    /// Returns the height of each bar in eighths of a cell, from 1 to `top`; 0 for a gap.
    private static func levels(_ values: [Double], top: Int, range: ClosedRange<Double>?) -> [Int] {
        let finite = values.filter(\.isFinite)
        guard let lowest = range?.lowerBound ?? finite.min(), let highest = range?.upperBound ?? finite.max() else { return [] }
        return values.map { value in
            guard value.isFinite else { return 0 }
            guard highest > lowest else { return top / 2 }
            // The lowest bar has one eighth: an empty column is a gap.
            return 1 + Int((part(value, from: lowest, to: highest) * Double(top - 1)).rounded())
        }
    }

    /// The relative position of `value`, from 0 to 1, even in a range that is wider than a `Double`. In an infinite range it is in the
    /// middle, or at the finite end.
    private static func part(_ value: Double, from lowest: Double, to highest: Double) -> Double {
        guard lowest.isFinite || highest.isFinite else { return 0.5 }
        guard lowest.isFinite else { return 1 }
        guard highest.isFinite else { return 0 }
        let scale = (highest - lowest).isFinite ? 1 : 0.5
        return min(max((value * scale - lowest * scale) / (highest * scale - lowest * scale), 0), 1)
    }

    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
