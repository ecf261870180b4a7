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
