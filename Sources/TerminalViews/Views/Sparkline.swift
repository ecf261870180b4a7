/// A row of bars, the newest value at the right.
public final class Sparkline: View {
    /// The values; if there are more values than columns, each column represents several. A gap is empty.
    public var series: Series { didSet { if series != oldValue { setNeedsDisplay() } } }
    /// The values of an empty and a full bar; `nil` uses the range of the visible values.
    public var range: ClosedRange<Double>? { didSet { if range != oldValue { setNeedsDisplay() } } }
    /// The style of the bars.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    /// Creates a row of bars.
    public init(_ series: Series = [], range: ClosedRange<Double>? = nil, style: Style = .plain) {
        self.series = series
        self.range = range
        self.style = style
        super.init()
    }

    public override func draw(in canvas: inout Canvas) {
        Self.draw(series, range: range, style: style, in: &canvas)
    }

    /// Fills the canvas with bars of at most `top` eighths of a cell, right-aligned. O(numbers + columns x rows).
    static func draw(_ series: Series, range: ClosedRange<Double>? = nil, style: Style, top: Int? = nil, in canvas: inout Canvas) {
        let size = canvas.drawingSize
        Bars.draw(Bars.levels(series.steps(size.width), top: top ?? size.height * 8, range: range), style: style, in: &canvas)
    }
}

/// Bars of eighths of a cell, for sparklines and charts.
enum Bars {
    /// Fills the columns of the canvas with bars of these heights in eighths of a cell. The last bar is at the right.
    static func draw(_ levels: [Int], style: Style, in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let cells = blocks.map { Canvas.Cell($0, style: style) }
        for (index, level) in levels.enumerated() {
            let x = size.width - levels.count + index
            for eighths in stride(from: 0, to: level, by: 8) {
                guard let cell = cells[min(level - eighths, 8) - 1] else { continue }
                canvas.put(cell, at: Point(x: x, y: size.height - 1 - eighths / 8))
            }
        }
    }

    /// Fills a part of the first `width` columns of a row, in eighths of a cell, and shows the rest as empty.
    static func drawRow(_ part: Double, width: Int, style: Style, in canvas: inout Canvas) {
        guard width > 0 else { return }
        let eighths = Int((part * Double(width * 8)).rounded())
        let rest = eighths % 8 == 0 ? "" : partialCells[eighths % 8 - 1]
        canvas.draw(String(repeating: "░", count: width), style: .dim)
        canvas.draw(String(repeating: "█", count: eighths / 8) + rest, style: style)
    }

    /// Returns the height of each value in eighths of a cell, from 1 to `top`, and 0 for a gap. The lowest bar has one eighth, because an
    /// empty column means a gap. Equal values have half the height, except zeros: nothing is no half of anything.
    static func levels(_ values: [Double], top: Int, range: ClosedRange<Double>?) -> [Int] {
        let finite = values.filter(\.isFinite)
        guard let lowest = range?.lowerBound ?? finite.min(), let highest = range?.upperBound ?? finite.max() else { return [] }
        return values.map { value in
            guard value.isFinite else { return 0 }
            guard highest > lowest else { return lowest == 0 ? 1 : max(1, top / 2) }
            return 1 + Int((part(value, from: lowest, to: highest) * Double(top - 1)).rounded())
        }
    }

    /// The relative position of `value`, from 0 to 1, even in a range that is wider than a `Double`. In an infinite range it is in the
    /// middle, or at the finite end.
    static func part(_ value: Double, from lowest: Double, to highest: Double) -> Double {
        guard lowest.isFinite || highest.isFinite else { return 0.5 }
        guard lowest.isFinite else { return 1 }
        guard highest.isFinite else { return 0 }
        guard highest > lowest else { return 0.5 }
        let scale = (highest - lowest).isFinite ? 1 : 0.5
        return min(max((value * scale - lowest * scale) / (highest * scale - lowest * scale), 0), 1)
    }

    private static let partialCells = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

extension Sparkline {
    /// A bounded series of numbers over time, the newest last. `nan` represents a gap.
    public struct Series: Hashable, Sendable, ExpressibleByArrayLiteral {
        /// The values, the oldest first.
        public private(set) var values: [Double]
        /// The maximum number of values.
        public let capacity: Int
        /// The number of values appended so far.
        private var total: Int

        /// Creates an empty series.
        public init(capacity: Int) {
            self.capacity = max(1, capacity)
            values = []
            total = 0
        }

        /// Creates a series of these values.
        public init(_ values: [Double]) {
            self.values = values
            capacity = max(1, values.count)
            total = values.count
        }

        public init(arrayLiteral elements: Double...) {
            self.init(elements)
        }

        /// Appends a value and drops the oldest if the series is full. O(capacity).
        public mutating func append(_ value: Double) {
            if values.count == capacity { values.removeFirst() }
            values.append(value)
            total += 1
        }

        /// Returns all values in at most `count` steps, each the mean of its values.
        ///
        /// A value stays in its step while new ones are appended, so that a chart scrolls to the left without flickering. O(values).
        public func steps(_ count: Int) -> [Double] {
            guard count > 0, !values.isEmpty else { return [] }
            let length = (values.count - 1) / count + 1
            guard length > 1 else { return values }
            let first = total - values.count
            let starts = values.indices.filter { $0 == 0 || (first + $0).isMultiple(of: length) }
            let steps = zip(starts, starts.dropFirst() + [values.count]).map { values[$0..<$1] }
            return steps.suffix(count).map(Self.mean)
        }

        /// The mean of the finite values, even if their sum overflows `Double`; `nan` if there is none.
        private static func mean(_ values: ArraySlice<Double>) -> Double {
            let finite = values.filter(\.isFinite)
            let count = Double(finite.count)
            let sum = finite.reduce(0, +)
            return sum.isFinite ? sum / count : finite.reduce(0) { $0 + $1 / count }
        }
    }
}
