/// A rectangle of the screen that draws itself.
///
/// Views are isolated to the main actor. A view that changes calls ``setNeedsDisplay()``; the screen redraws soon after, once for all
/// changes. Settable properties are binders under `.rx`: `label.rx.text`, `view.rx.isHidden`.
@MainActor
open class View: ReactiveCompatible {
    /// The view's frame in its superview; set by the layout.
    public internal(set) var frame = Rect(size: .zero)
    /// The view's preferred width in a horizontal stack.
    public var width = Length.flexible() { didSet { setNeedsDisplay() } }
    /// The view's preferred height in a vertical stack.
    public var height = Length.flexible() { didSet { setNeedsDisplay() } }
    /// Whether the view is hidden. A hidden view takes no space in a stack.
    public var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
    /// The subviews, drawn after this view, in order. A view that contains others sets them and overrides ``layout(in:)``.
    public var subviews: [View] = [] {
        didSet {
            for view in oldValue where view.superview === self { view.superview = nil }
            for view in subviews { view.superview = self }
            setNeedsDisplay()
        }
    }

    weak var superview: View?
    /// Called when the view needs display; the screen sets it in its root view.
    var onChange: (@MainActor () -> Void)?

    /// Creates a view.
    public init() {}

    /// Draws the view's own content; the origin of the canvas is the view's corner. The default draws nothing.
    open func draw(in canvas: inout Canvas) {}

    /// Returns the size that the content needs within `available`. The default needs one row.
    open func fittingSize(in available: Size) -> Size {
        Size(width: available.width, height: 1)
    }

    /// Sets the frames of the subviews. The default gives each the whole size.
    open func layout(in size: Size) {
        for view in subviews { view.place(Rect(size: size)) }
    }

    /// Requests a redraw. It is cheap, so you may call it often.
    public final func setNeedsDisplay() {
        onChange?()
        superview?.setNeedsDisplay()
    }

    /// Sets the view's frame and lays out its subviews. A hidden view is laid out when it appears.
    public final func place(_ frame: Rect) {
        self.frame = frame
        if !isHidden { layout(in: frame.size) }
    }

    /// Returns a position of the screen relative to the view's corner; `nil` if the view does not show it.
    public final func position(of point: Point) -> Point? {
        guard !isHidden, let outer = superview.map({ $0.position(of: point) }) ?? point else { return nil }
        let inner = Point(x: outer.x - frame.left, y: outer.y - frame.top)
        let isInside = (0..<frame.size.width).contains(inner.x) && (0..<frame.size.height).contains(inner.y)
        return isInside ? inner : nil
    }

    /// Draws the view and its subviews.
    final func render(in canvas: inout Canvas) {
        guard !isHidden, !frame.isEmpty else { return }
        canvas.inside(frame) { canvas in
            draw(in: &canvas)
            for view in subviews { view.render(in: &canvas) }
        }
    }

    /// Returns a snapshot of the view in that size, at most 1000 columns and 500 rows, for tests.
    public final func snapshot(in size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        place(Rect(size: canvas.size))
        render(in: &canvas)
        return canvas
    }
}
