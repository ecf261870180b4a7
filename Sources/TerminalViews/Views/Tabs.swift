/// Views of which one is shown; you choose it in a row of titles. If there is only one row, the view takes it.
public final class Tabs: View {
    /// The titles. Views without one are not reachable; a single title is not shown.
    public var titles: [StyledText] { didSet { if titles != oldValue { show() } } }
    /// The index of the shown view. An index out of range counts as the nearest.
    public var selectedIndex = 0 {
        didSet {
            guard selectedIndex != oldValue else { return }
            show()
            selectionRelay.accept(selectedIndex)
        }
    }
    /// The style of the title of the shown view.
    public var selectedStyle = Style(.standard, [.bold, .underline]) { didSet { if selectedStyle != oldValue { setNeedsDisplay() } } }
    /// The style of the other titles.
    public var style = Style.dim { didSet { if style != oldValue { setNeedsDisplay() } } }
    /// Emits the index of the shown view, starting with the current one.
    public var selection: Observable<Int> { selectionRelay.asObservable() }

    private let selectionRelay = BehaviorRelay(value: 0)

    /// Creates tabs; the first is shown.
    public init(_ pages: [(title: StyledText, view: View)]) {
        titles = pages.map(\.title)
        super.init()
        subviews = pages.map(\.view)
        show()
    }

    /// Changes the view with tab, shift-tab and a click on a title.
    /// - Returns: whether the key was one of these.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        switch key {
        case .tab: select(current + 1)
        case Key(.tab, .shift): select(current - 1)
        default:
            guard let index = clickedIndex(key) else { return false }
            selectedIndex = index
        }
        return true
    }

    private func clickedIndex(_ key: Key) -> Int? {
        guard let mouse = key.mouse, mouse.action == .press(.left), let point = position(of: mouse.position), point.y < titleRows else {
            return nil
        }
        return zip(titles.indices, edges).first { $1.contains(point.x) }?.0
    }

    private var count: Int { min(titles.count, subviews.count) }
    private var current: Int { min(max(selectedIndex, 0), max(0, count - 1)) }
    private var titleRows: Int { titleRows(in: frame.size) }

    private func titleRows(in size: Size) -> Int { count > 1 && size.height > 1 ? 1 : 0 }

    private func select(_ index: Int) {
        guard count > 0 else { return }
        selectedIndex = (index + count) % count
    }

    private func show() {
        for (index, view) in subviews.enumerated() { view.isHidden = index != current }
        setNeedsDisplay()
    }

    /// The columns of each title.
    private var edges: [Range<Int>] {
        var x = 0
        return titles.map { title in
            defer { x += title.width + Self.spacing }
            return x..<x + title.width
        }
    }

    public override func fittingSize(in available: Size) -> Size {
        let titleRows = titleRows(in: available)
        let inner = Size(width: available.width, height: available.height - titleRows)
        let sizes = subviews.map { $0.fittingSize(in: inner) }
        return Size(
            width: max(edges.last?.upperBound ?? 0, sizes.map(\.width).max() ?? 0), height: (sizes.map(\.height).max() ?? 0) + titleRows)
    }

    public override func layout(in size: Size) {
        let titleRows = titleRows(in: size)
        for view in subviews {
            view.place(Rect(x: 0, y: titleRows, width: size.width, height: size.height - titleRows))
        }
    }

    public override func draw(in canvas: inout Canvas) {
        guard titleRows(in: canvas.drawingSize) > 0 else { return }
        for (index, (title, edge)) in zip(titles, edges).enumerated() {
            canvas.draw(title, at: Point(x: edge.lowerBound, y: 0), over: index == current ? selectedStyle : style)
        }
    }

    private static let spacing = 2
}
