/// The progress of a task.
public final class ProgressBar: View {
    /// The progress, from 0 to 1; `nil` if it is indeterminate.
    public var progress: Double? { didSet { if progress != oldValue { setNeedsDisplay() } } }
    /// The style of the part that is done.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    /// Creates a bar.
    public init(progress: Double? = nil, style: Style = Style(.green)) {
        self.progress = progress
        self.style = style
        super.init()
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        let width = canvas.drawingSize.width - 5
        guard width > 0, let progress, progress.isFinite else {
            canvas.draw(String(repeating: "░", count: canvas.drawingSize.width), style: .dim)
            return
        }
        let part = min(max(progress, 0), 1)
        Bars.drawRow(part, width: width, style: style, in: &canvas)
        let percent = "\(Int((part * 100).rounded(.down)))%"
        canvas.draw(TerminalText.padded(percent, to: 5, alignment: .trailing), at: Point(x: width, y: 0))
    }
}

/// A value within a range, as a bar between a label and the value as text.
///
/// ```swift
/// let load = Gauge("load", in: 0...100) { "\(Int($0)) %" }
/// loads.bind(to: load.rx.value).disposed(by: bag)
/// ```
///
/// A narrow view loses the label first, and then the text. A value outside of the range is shown at its end, with its own text.
/// Source: [SwiftUI, Gauge](https://developer.apple.com/documentation/swiftui/gauge).
public final class Gauge: View {
    /// The value; if it is `nil` or `nan`, the bar and the text are empty.
    public var value: Double? { didSet { if value != oldValue { setNeedsDisplay() } } }
    /// The values of an empty and a full bar. In a range of one value, and in one without finite ends, the bar is half full.
    public var range: ClosedRange<Double> { didSet { if range != oldValue { setNeedsDisplay() } } }
    /// The text before the bar.
    public var label: StyledText { didSet { if label != oldValue { setNeedsDisplay() } } }
    /// The style of the filled part.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }
    /// Returns the text after the bar.
    public var format: @MainActor @Sendable (Double) -> String { didSet { setNeedsDisplay() } }

    /// Creates a bar; `format` returns the text of a value, by default none.
    public init(
        _ label: StyledText = "", value: Double? = nil, in range: ClosedRange<Double> = 0...1, style: Style = Style(.green),
        format: @escaping @MainActor @Sendable (Double) -> String = { _ in "" }
    ) {
        (self.label, self.value, self.range, self.style, self.format) = (label, value, range, style, format)
        super.init()
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        let room = canvas.drawingSize.width
        let value = value.flatMap { $0.isNaN ? nil : $0 }
        // The widest of the three keeps the bar from moving with the value.
        let text = value.map(format) ?? ""
        let widths = [text, format(range.lowerBound), format(range.upperBound)].map { TerminalText.width(of: $0) }
        let textWidth = Self.fits(widths.max() ?? 0, in: room)
        let labelWidth = Self.fits(label.width, in: room - textWidth)
        let bar = Rect(x: labelWidth, y: 0, width: room - labelWidth - textWidth, height: 1)
        if labelWidth > 0 { canvas.draw(label, at: .zero) }
        canvas.draw(inside: bar) { canvas in
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            let part = value.map { Bars.part(min(max($0, lowest), highest), from: lowest, to: highest) }
            Bars.drawRow(part ?? 0, width: bar.size.width, style: style, in: &canvas)
        }
        guard textWidth > 0 else { return }
        canvas.draw(TerminalText.padded(text, to: textWidth, alignment: .trailing), at: Point(x: bar.right, y: 0))
    }

    /// The columns of a text and of the space at its side; 0 if the bar would get too narrow.
    private static func fits(_ width: Int, in room: Int) -> Int {
        width > 0 && room - width - 1 >= narrowestBar ? width + 1 : 0
    }

    private static let narrowestBar = 4
}

/// An activity indicator. It does not animate on its own: bind ``step`` to a stream that ticks during the activity, so that an idle screen
/// does not redraw.
public final class Spinner: View {
    /// Whether there is activity; otherwise the view is blank.
    public var isSpinning = false { didSet { if isSpinning != oldValue { setNeedsDisplay() } } }
    /// The step of the animation; each number shows the next picture.
    public var step = 0 { didSet { if step != oldValue, isSpinning { setNeedsDisplay() } } }

    public override init() {
        super.init()
        width = .fixed(1)
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        guard isSpinning else { return }
        let signs = canvas.drawsBraille ? Self.signs : Self.plainSigns
        canvas.draw(String(signs[((step % signs.count) + signs.count) % signs.count]))
    }

    private static let signs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
    private static let plainSigns = Array("|/-\\")
}

/// A line at the edge of the screen: leading and trailing text, and whether requests are in progress.
public final class StatusBar: View {
    /// The text at the left.
    public var leading: StyledText { didSet { if leading != oldValue { setNeedsDisplay() } } }
    /// The text at the right.
    public var trailing: StyledText { didSet { if trailing != oldValue { setNeedsDisplay() } } }
    /// Whether requests are in progress. Bind the load indicator of the network nodes to it: `indicator.isLoading.drive(bar.rx.isLoading)`.
    public var isLoading = false { didSet { if isLoading != oldValue { setNeedsDisplay() } } }
    /// The style of the line.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    /// Creates a bar.
    public init(leading: StyledText = "", trailing: StyledText = "", style: Style = .inverse) {
        self.leading = leading
        self.trailing = trailing
        self.style = style
        super.init()
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        canvas.fill(Rect(size: size), style: style)
        let right = (trailing + (isLoading ? " ●" : " ○")).clipped(to: size.width - 2)
        let left = leading.clipped(to: size.width - right.width - 3)
        canvas.draw(left, at: Point(x: 1, y: 0), over: style)
        canvas.draw(right, at: Point(x: size.width - 1 - right.width, y: 0), over: style)
    }
}
