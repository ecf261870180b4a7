/// Values over time, or over anything else, as bars or a line between two axes.
///
/// The vertical axis is labeled with the lowest and the highest value, the horizontal axis with a text at either end. If several points
/// share a column, the highest is shown, so that no peak disappears.
public final class Chart: View {
    /// A point; if `y` is `nan`, a mark on the horizontal axis.
    public struct Point: Hashable, Sendable {
        /// The place of the point on the horizontal axis.
        public let x: Double
        /// The height of the bar.
        public let y: Double

        /// Creates a point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The horizontal axis: the values of its ends, and their texts.
    public struct Axis: Hashable, Sendable {
        /// The values at the ends of the axis.
        public let range: ClosedRange<Double>
        /// The text at the left end.
        public let start: String
        /// The text at the right end.
        public let end: String

        /// Creates an axis.
        public init(_ range: ClosedRange<Double>, from start: String = "", to end: String = "") {
            self.range = range
            self.start = start
            self.end = end
        }
    }

    /// The way in which the points are drawn.
    public enum Form: Hashable, Sendable {
        /// Bars from the axis, in eighths of a cell.
        case bars
        /// A line of braille dots, two beside and four above each other in a cell, from each point to the next one. A terminal that draws
        /// no braille shows bars.
        case line
    }

    /// The way in which the points are drawn.
    public var form = Form.bars { didSet { if form != oldValue { setNeedsDisplay() } } }
    /// The points in the order of their `x`. If a point is followed by one further left, it is shown, but not extended. Points outside of
    /// the axis, or whose `x` is `nan`, are not shown.
    public var points: [Point] = [] { didSet { if points != oldValue { setNeedsDisplay() } } }
    /// The horizontal axis.
    public var axis: Axis { didSet { if axis != oldValue { setNeedsDisplay() } } }
    /// A value that the vertical axis includes, 0 by default: a small change of large values then looks small. If it is `nil` or not
    /// finite, the axis shows only the range of the visible points.
    public var baseline: Double? = 0 { didSet { if baseline != oldValue { setNeedsDisplay() } } }
    /// The text at the vertical axis in place of its labels if there are points and none of them has a value. If it is empty, the labels
    /// stay.
    public var placeholder = "" { didSet { if placeholder != oldValue { setNeedsDisplay() } } }
    /// The distance along the axis by which a point is extended until the next one, so that few points fill many columns. If it is negative
    /// or `nan`, points are not extended. A line joins two points that are no further apart than this; if it is 0, any two.
    public var hold = 0.0 { didSet { if hold != oldValue { setNeedsDisplay() } } }
    /// The style of the bars.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }
    /// The style of the axes and their labels.
    public var axisStyle = Style.dim { didSet { if axisStyle != oldValue { setNeedsDisplay() } } }
    /// The style of marks.
    public var markStyle = Style(.red, .bold) { didSet { if markStyle != oldValue { setNeedsDisplay() } } }

    /// Returns the labels of the vertical axis.
    public var format: @MainActor @Sendable (Double) -> String { didSet { setNeedsDisplay() } }

    /// Creates a chart; `format` returns the labels of the vertical axis.
    public init(axis: Axis, style: Style = .plain, format: @escaping @MainActor @Sendable (Double) -> String) {
        self.axis = axis
        self.style = style
        self.format = format
        super.init()
    }

    /// The content of one column.
    private struct Column {
        var value = Double.nan
        var isMarked = false
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let hasLabels = size.height > Self.labelRows + 1
        let plotHeight = hasLabels ? size.height - Self.labelRows : size.height
        // The labels depend on the values. The width of the labels affects which values are visible only by way of the columns.
        let shown = points.filter { axis.range.contains($0.x) }.map(\.y)
        let visible = shown.filter(\.isFinite)
        let range = (visible + [baseline].compactMap(\.self).filter(\.isFinite)).range
        let isAbsent = visible.isEmpty && !shown.isEmpty && !placeholder.isEmpty
        let labels = isAbsent ? (placeholder, placeholder) : range.map { (format($0.upperBound), format($0.lowerBound)) }
        let labelWidth = labels.map { max(TerminalText.width(of: $0.0), TerminalText.width(of: $0.1)) } ?? 0
        let left = hasLabels ? labelWidth + 2 : 0
        let plot = Rect(x: left, y: 0, width: size.width - left, height: plotHeight)
        guard !plot.isEmpty, plot.size.width > 1 else { return }
        let isLine = form == .line && canvas.drawsBraille
        let columns = columns(plot.size.width * (isLine ? BrailleLine.dotsAcross : 1), areJoined: isLine)
        canvas.draw(inside: plot) { canvas in
            if isLine {
                let levels = Bars.levels(columns.map(\.value), top: plotHeight * BrailleLine.dotsDown, range: range)
                BrailleLine.draw(levels, style: style, in: &canvas)
            } else {
                Bars.draw(Bars.levels(columns.map(\.value), top: plotHeight * 8, range: range), style: style, in: &canvas)
            }
            for (place, column) in columns.enumerated() where column.isMarked {
                canvas.draw("×", at: .init(x: place * plot.size.width / columns.count, y: plotHeight - 1), style: markStyle)
            }
        }
        guard hasLabels else { return }
        drawAxes(around: plot, labels: labels, in: &canvas)
    }

    private func drawAxes(around plot: Rect, labels: (top: String, bottom: String)?, in canvas: inout Canvas) {
        let edge = plot.left - 1
        for y in 0..<plot.bottom { canvas.draw(y == 0 || y == plot.bottom - 1 ? "┤" : "│", at: .init(x: edge, y: y), style: axisStyle) }
        canvas.draw("└" + String(repeating: "─", count: plot.size.width), at: .init(x: edge, y: plot.bottom), style: axisStyle)
        let isFlat = labels?.top == labels?.bottom
        for (label, y) in [(isFlat ? nil : labels?.top, 0), (labels?.bottom, plot.bottom - 1)] {
            guard let label else { continue }
            canvas.draw(TerminalText.padded(label, to: edge - 1, alignment: .trailing), at: .init(x: 0, y: y), style: axisStyle)
        }
        canvas.draw(axis.start, at: .init(x: plot.left, y: plot.bottom + 1), style: axisStyle)
        let end = TerminalText.width(of: axis.end)
        guard end + TerminalText.width(of: axis.start) < plot.size.width else { return }
        canvas.draw(axis.end, at: .init(x: plot.right - end, y: plot.bottom + 1), style: axisStyle)
    }

    /// The column of a place between the ends of the axis; a place beyond them is in the column of the nearer end.
    private func column(of x: Double, of count: Int) -> Int {
        let (start, end) = (axis.range.lowerBound, axis.range.upperBound)
        return min(count - 1, Int((min(max(x, start), end) - start) / (end - start) * Double(count)))
    }

    /// Distributes the points over this number of columns. O(points + columns).
    private func columns(_ count: Int, areJoined: Bool) -> [Column] {
        var columns = Array(repeating: Column(), count: count)
        let span = axis.range.upperBound - axis.range.lowerBound
        guard span > 0, span.isFinite else { return columns }
        // A comparison with `nan` is never true.
        let hold = self.hold > 0 ? self.hold : 0
        let points = self.points.filter { !$0.x.isNaN }
        for (index, point) in points.enumerated() where axis.range.contains(point.x) {
            let first = column(of: point.x, of: count)
            guard point.y.isFinite else {
                columns[first].isMarked = true
                continue
            }
            columns[first].value = columns[first].value.isNaN ? point.y : max(columns[first].value, point.y)
            if areJoined, let next = points[(index + 1)...].first, let end = joint(of: point, and: next, hold) {
                let length = column(of: end.x, of: count) - first
                for step in 1..<max(1, length) {
                    let part = Double(step) / Double(length)
                    columns[first + step].value = point.y * (1 - part) + end.y * part
                }
                continue
            }
            let next = points.indices.contains(index + 1) ? points[index + 1].x : .infinity
            let last = column(of: min(point.x + hold, next), of: count)
            let end = next <= point.x + hold ? last : last + 1
            for column in first + 1..<max(first + 1, end) { columns[column].value = point.y }
        }
        return columns
    }

    /// Returns the next point if the line leads there.
    private func joint(of point: Point, and next: Point, _ hold: Double) -> Point? {
        guard next.y.isFinite, next.x >= point.x, axis.range.contains(next.x) else { return nil }
        return hold == 0 || next.x - point.x <= hold ? next : nil
    }

    /// The number of rows of the axis and its texts.
    private static let labelRows = 2
}

extension [Double] {
    fileprivate var range: ClosedRange<Double>? {
        guard let lowest = self.min(), let highest = self.max() else { return nil }
        return lowest...highest
    }
}
