/// Shows a part of a view that is higher than the space; the rest scrolls into it.
public final class ScrollView: View {
    /// The first visible row of the content. An offset beyond the end counts as the last one that shows a full page.
    public var offset = 0 { didSet { if offset != oldValue { setNeedsDisplay() } } }
    private let content: View
    private var contentHeight = 0

    /// Creates a view that shows a part of `content`.
    public init(_ content: View) {
        self.content = content
        super.init()
        canBecomeFocused = true
        subviews = [content]
    }

    /// Scrolls with the arrow keys, page up and down, home, end, and the wheel.
    /// - Returns: whether the key was one of these; `false` for a wheel that turned elsewhere.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        let page = max(1, frame.size.height - 1)
        switch key.code {
        case .up: scroll(to: offset - 1)
        case .down: scroll(to: offset + 1)
        case .pageUp: scroll(to: offset - page)
        case .pageDown: scroll(to: offset + page)
        case .home: scroll(to: 0)
        case .end: scroll(to: contentHeight)
        case .mouse(let mouse) where position(of: mouse.position) != nil: return turn(mouse.action)
        default: return false
        }
        return true
    }

    private func turn(_ action: Key.MouseAction) -> Bool {
        switch action {
        case .wheelUp: scroll(to: offset - Self.wheelRows)
        case .wheelDown: scroll(to: offset + Self.wheelRows)
        default: return false
        }
        return true
    }

    private func scroll(to row: Int) {
        offset = min(max(0, row), max(0, contentHeight - frame.size.height))
    }

    public override func fittingSize(in available: Size) -> Size {
        content.fittingSize(in: available)
    }

    public override func layout(in size: Size) {
        let whole = content.fittingSize(in: size).height
        // The scroll bar takes a column; in a narrower space the content may need more rows.
        let inner = whole > size.height ? Size(width: size.width - 1, height: size.height) : size
        contentHeight = content.fittingSize(in: inner).height
        let top = min(max(0, offset), max(0, contentHeight - size.height))
        content.place(Rect(x: 0, y: -top, width: inner.width, height: max(contentHeight, size.height)))
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        var window = ListWindow()
        window.show(offset, count: contentHeight, height: size.height)
        guard let thumb = window.thumb(count: contentHeight, height: size.height) else { return }
        canvas.fill(Rect(x: size.width - 1, y: thumb.lowerBound, width: 1, height: thumb.count), with: "▐", style: .dim)
    }

    private static let wheelRows = 3
}
