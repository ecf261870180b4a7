/// Lines below each other, one of which can be selected; it scrolls if it is longer than the view.
public final class List: View {
    /// The lines.
    public var items: [StyledText] = [] { didSet { if items != oldValue { setNeedsDisplay() } } }
    /// The lines without their styles; setting it gives plain lines.
    public var texts: [String] {
        get { items.map(\.string) }
        set { items = newValue.map { StyledText($0) } }
    }
    /// The index of the selected line; `nil` if there is none. An index out of range counts as the nearest line.
    public var selectedIndex: Int? { didSet { if selectedIndex != oldValue { setNeedsDisplay() } } }
    /// The style of the selected line; dim while another view has the keys.
    public var selectedStyle = Style.inverse { didSet { if selectedStyle != oldValue { setNeedsDisplay() } } }

    private var window = ListWindow()

    /// Creates a list of these lines.
    public init(_ items: [StyledText] = []) {
        self.items = items
        super.init()
        canBecomeFocused = true
    }

    /// Moves the selection with the arrow keys, page up and down, home, end, the wheel and a click.
    /// - Returns: whether the key was one of these.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        if let mouse = key.mouse {
            guard let point = position(of: mouse.position) else { return false }
            if mouse.action == .press(.left) { return select(window.top + point.y) }
        }
        guard let target = ListWindow.move(selectedIndex, by: key, count: items.count, page: frame.size.height) else { return false }
        if items.indices.contains(target) { selectedIndex = target }
        return true
    }

    private func select(_ index: Int) -> Bool {
        guard items.indices.contains(index) else { return false }
        selectedIndex = index
        return true
    }

    public override func fittingSize(in available: Size) -> Size {
        Size(width: items.reduce(0) { max($0, $1.width) }, height: items.count)
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let selected = selectedIndex.map { min(max($0, 0), items.count - 1) }
        window.follow(selected, count: items.count, height: size.height)
        let selectedStyle = isFocused ? selectedStyle : selectedStyle.with(.dim)
        for (line, index) in (window.top..<min(items.count, window.top + size.height)).enumerated() {
            let style = index == selected ? selectedStyle : .plain
            if index == selected { canvas.fill(Rect(x: 0, y: line, width: size.width, height: 1), style: style) }
            canvas.draw(items[index].clipped(to: size.width), at: Point(x: 0, y: line), over: style)
        }
    }
}

/// The visible part of a long list, and its scrolling.
struct ListWindow: Hashable, Sendable {
    private(set) var top = 0

    /// Scrolls by the minimum number of rows that makes `selected` visible.
    mutating func follow(_ selected: Int?, count: Int, height: Int) {
        if let selected {
            if selected < top { top = selected }
            if selected >= top + height { top = selected - height + 1 }
        }
        top = min(max(top, 0), max(0, count - height))
    }

    /// Shows the rows from `top` on, if there are that many.
    mutating func show(_ top: Int, count: Int, height: Int) {
        self.top = top
        follow(nil, count: count, height: height)
    }

    /// Returns the selection after that key; `nil` for a key that does not move it.
    static func move(_ selected: Int?, by key: Key, count: Int, page: Int) -> Int? {
        let page = max(1, page - 1)
        let current = selected ?? -1
        let target: Int
        switch key.code {
        case .up: target = current - 1
        case .down: target = current + 1
        case .pageUp: target = current - page
        case .pageDown: target = current + page
        case .home: target = 0
        case .end: target = count - 1
        case .mouse(let mouse) where mouse.action == .wheelUp: target = current - 1
        case .mouse(let mouse) where mouse.action == .wheelDown: target = current + 1
        default: return nil
        }
        return min(max(target, 0), count - 1)
    }

    /// Returns the rows that the thumb of a scroll bar covers; `nil` if everything is visible.
    func thumb(count: Int, height: Int) -> Range<Int>? {
        guard count > height, height > 0 else { return nil }
        let length = max(1, height * height / count)
        let start = top * (height - length) / max(1, count - height)
        return start..<start + length
    }
}
