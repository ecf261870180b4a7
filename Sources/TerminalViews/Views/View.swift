/// A rectangle of the screen that knows how to draw itself.
///
/// Views live on the main actor. A view that changes says so with ``setNeedsDisplay()``; the screen draws soon after, once for all
/// changes. Settable properties are binders under `.rx`: `label.rx.text`, `view.rx.isHidden`.
@MainActor
open class View: ReactiveCompatible {
    /// Where the view stands in the view around it; set by the layout.
    public internal(set) var frame = Rect(size: .zero)
    /// How wide the view wants to be in a horizontal stack.
    public var width = Length.flexible() { didSet { setNeedsDisplay() } }
    /// How high the view wants to be in a vertical stack.
    public var height = Length.flexible() { didSet { setNeedsDisplay() } }
    /// A hidden view takes no room in a stack.
    public var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
    /// The views inside, drawn after this view, in order.
    public internal(set) var subviews: [View] = [] {
        didSet {
            for view in subviews { view.superview = self }
            setNeedsDisplay()
        }
    }

    weak var superview: View?
    /// Set in the root view by its screen.
    var onChange: (@MainActor () -> Void)?

    public init() {}

    /// Draws what the view itself shows; the origin of the canvas is the view's corner. The default draws nothing.
    open func draw(in canvas: inout Canvas) {}

    /// The extent that the content needs within the given one. The default needs one row.
    open func fittingSize(in available: Size) -> Size {
        Size(width: available.width, height: 1)
    }

    /// Sets the frames of the subviews. The default gives each the whole extent.
    open func layout(in size: Size) {
        for view in subviews { view.place(Rect(size: size)) }
    }

    /// Asks for a new picture. Cheap, and callable as often as one likes.
    public final func setNeedsDisplay() {
        onChange?()
        superview?.setNeedsDisplay()
    }

    /// Puts the view in its place, and those inside in theirs.
    public final func place(_ frame: Rect) {
        self.frame = frame
        layout(in: frame.size)
    }

    /// Draws the view and all inside it.
    final func render(in canvas: inout Canvas) {
        guard !isHidden, !frame.isEmpty else { return }
        canvas.inside(frame) { canvas in
            draw(in: &canvas)
            for view in subviews { view.render(in: &canvas) }
        }
    }

    /// A picture of the view in that size: what a snapshot test looks at.
    public final func snapshot(in size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        place(Rect(size: size))
        render(in: &canvas)
        return canvas
    }
}
