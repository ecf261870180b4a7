/// Text, on one line or on several.
public final class Label: View {
    /// The text without styles. Setting it keeps ``style``. A stream binds to it through `label.rx.text`.
    public var text: String {
        get { content.string }
        set { content = StyledText(newValue) }
    }

    /// The text with its styles.
    public var content: StyledText { didSet { if content != oldValue { forgetLines() } } }
    /// The style of parts without a style of their own.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }
    /// Whether lines that are too long continue on the next row instead of being truncated.
    public var wraps = false { didSet { if wraps != oldValue { forgetLines() } } }
    /// The place of the text in a wider view.
    public var alignment: StyledText.Alignment { didSet { if alignment != oldValue { setNeedsDisplay() } } }
    /// The lines for the width that was last requested: layout and drawing request them several times.
    private var knownLines: (width: Int, lines: [StyledText])?

    /// Creates a label.
    public init(_ content: StyledText = "", style: Style = .plain, alignment: StyledText.Alignment = .leading) {
        self.content = content
        self.style = style
        self.alignment = alignment
        super.init()
        height = .fit
    }

    public override func fittingSize(in available: Size) -> Size {
        let lines = lines(in: available.width)
        return Size(width: lines.reduce(0) { max($0, $1.width) }, height: lines.count)
    }

    private func forgetLines() {
        knownLines = nil
        setNeedsDisplay()
    }

    private func lines(in width: Int) -> [StyledText] {
        if let knownLines, knownLines.width == width { return knownLines.lines }
        let lines = wraps && width > 0 ? content.lines.flatMap { $0.wrapped(to: width) } : content.lines
        knownLines = (width, lines)
        return lines
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        if style != .plain { canvas.fill(Rect(size: size), style: style) }
        for (row, line) in lines(in: size.width).prefix(size.height).enumerated() {
            let line = line.clipped(to: size.width)
            canvas.draw(line, at: Point(x: alignment.offset(of: size.width - line.width), y: row), over: style)
        }
    }
}
