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
    public var isHidden = false { didSet { if isHidden != oldValue { changeTree() } } }
    /// The subviews, drawn after this view, in order. A view that contains others sets them and overrides ``layout(in:)``.
    public var subviews: [View] = [] {
        didSet {
            for view in oldValue where view.superview === self { view.superview = nil }
            for view in subviews { view.superview = self }
            changeTree()
        }
    }
    /// Whether a ``Focus`` can give the keys to this view: `true` for a view that takes keys by itself.
    public var canBecomeFocused = false { didSet { if canBecomeFocused != oldValue { changeTree() } } }

    /// Whether the view has the keys. Setting it asks the ``Focus`` of the screen to move. Without one it only decides how the view looks,
    /// and is `true` at first.
    public final var isFocused: Bool {
        get { hasKeys }
        set {
            guard newValue != hasKeys else { return }
            guard canBecomeFocused, let focus = enclosingFocus else { return showFocus(newValue) }
            focus.focusedView = newValue ? self : nil
        }
    }
    /// Emits whether the view has the keys, starting with the current state.
    public final var focused: Observable<Bool> {
        let relay = focusRelay ?? BehaviorRelay(value: hasKeys)
        focusRelay = relay
        return relay.asObservable()
    }

    weak var superview: View?
    /// The focus of which this view is the root.
    weak var focus: Focus?
    private var hasKeys = true
    private var focusRelay: BehaviorRelay<Bool>?
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

    /// Takes a key or a mouse event. The default takes none.
    ///
    /// A view that contains others gets the keys that the focused one of them leaves.
    /// - Returns: whether the key was the view's.
    @discardableResult
    open func handle(_ key: Key) -> Bool { false }

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

    /// Shows whether the view has the keys: only a focus decides that.
    final func showFocus(_ hasKeys: Bool) {
        guard hasKeys != self.hasKeys else { return }
        self.hasKeys = hasKeys
        focusRelay?.accept(hasKeys)
        setNeedsDisplay()
    }

    /// The focus of the screen; `nil` if there is none.
    private var enclosingFocus: Focus? { focus ?? superview?.enclosingFocus }

    /// Other views are reachable from now on.
    private func changeTree() {
        enclosingFocus?.treeChanged()
        setNeedsDisplay()
    }

    /// Draws the view and its subviews.
    final func render(in canvas: inout Canvas) {
        guard !isHidden, !frame.isEmpty else { return }
        canvas.draw(inside: frame) { canvas in
            draw(in: &canvas)
            for view in subviews { view.render(in: &canvas) }
        }
    }

    /// Returns a snapshot of the view in that size, at most 1000 columns and 500 rows, for tests.
    /// - Parameters:
    ///   - size: the size, in cells.
    ///   - drawsBraille: whether the terminal would draw braille.
    public final func snapshot(in size: Size, drawsBraille: Bool = true) -> Canvas {
        focus?.follow()
        var canvas = Canvas(size: size, drawsBraille: drawsBraille)
        place(Rect(size: canvas.size))
        render(in: &canvas)
        return canvas
    }
}
