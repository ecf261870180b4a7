/// A line around a view, with a title in its top edge and an empty column on either side.
public final class Border: View {
    /// The title in the top edge.
    public var title: StyledText { didSet { if title != oldValue { setNeedsDisplay() } } }
    /// The style of the line.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }
    private let content: View

    /// Creates a border around a view.
    public init(_ content: View, title: StyledText = "", style: Style = .dim) {
        self.content = content
        self.title = title
        self.style = style
        super.init()
        width = content.width
        height = content.height
        subviews = [content]
    }

    public override func fittingSize(in available: Size) -> Size {
        let inner = content.fittingSize(in: Size(width: available.width - 4, height: available.height - 2))
        return Size(width: max(inner.width, title.width) + 4, height: inner.height + 2)
    }

    public override func layout(in size: Size) {
        content.place(Rect(x: 2, y: 1, width: size.width - 4, height: size.height - 2))
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        guard size.width > 1, size.height > 1 else { return }
        let line = String(repeating: "─", count: size.width - 2)
        canvas.draw("┌\(line)┐", style: style)
        for y in 1..<size.height - 1 {
            canvas.draw("│", at: Point(x: 0, y: y), style: style)
            canvas.draw("│", at: Point(x: size.width - 1, y: y), style: style)
        }
        canvas.draw("└\(line)┘", at: Point(x: 0, y: size.height - 1), style: style)
        guard !title.spans.isEmpty, size.width > 4 else { return }
        canvas.draw(" " + title.clipped(to: size.width - 4) + " ", at: Point(x: 1, y: 0))
    }
}
