/// Rows of columns with a header; one row can be selected, and a list longer than the view scrolls.
///
/// The selection is stored as a row's `id`, so that it follows the row when the rows are sorted.
public final class Table: View {
    public struct Column: Hashable, Sendable {
        public let title: String
        public let width: Length
        public let alignment: Alignment

        public init(_ title: String, width: Length = .flexible(), alignment: Alignment = .leading) {
            self.title = title
            self.width = width
            self.alignment = alignment
        }
    }

    /// The content of one column of one row.
    public enum Value: Hashable, Sendable, ExpressibleByStringInterpolation {
        case text(StyledText)
        case sparkline(Series, Style = .plain)

        public init(stringLiteral text: String) {
            self = .text(StyledText(text))
        }
    }

    public struct Row: Hashable, Sendable {
        public let id: String
        public let values: [Value]

        public init(id: String, _ values: [Value]) {
            self.id = id
            self.values = values
        }
    }

    /// The column that the rows are sorted by. The table only displays it; sorting is up to the owner of the rows.
    public struct Sorting: Hashable, Sendable {
        public let column: Int
        public let isAscending: Bool

        public init(column: Int, isAscending: Bool = true) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    public var columns: [Column] { didSet { if columns != oldValue { setNeedsDisplay() } } }
    public var rows: [Row] = [] { didSet { if rows != oldValue { keepSelection(among: oldValue) } } }
    public var sorting: Sorting? { didSet { if sorting != oldValue { setNeedsDisplay() } } }
    /// Shown if there are no rows.
    public var placeholder: StyledText = "" { didSet { if placeholder != oldValue { setNeedsDisplay() } } }
    public var headerStyle = Style(.cyan, .bold) { didSet { if headerStyle != oldValue { setNeedsDisplay() } } }
    public var selectedStyle = Style.inverse { didSet { if selectedStyle != oldValue { setNeedsDisplay() } } }
    /// The `id` of the selected row. An `id` without a row is kept until the row appears.
    public var selectedID: String? {
        didSet {
            guard selectedID != oldValue else { return }
            selectionRelay.accept(selectedID)
            setNeedsDisplay()
        }
    }

    /// Emits the selection, starting with the current one.
    public var selection: Observable<String?> { selectionRelay.asObservable() }

    private let selectionRelay = BehaviorRelay<String?>(value: nil)
    private var window = ListWindow()

    public init(columns: [Column]) {
        self.columns = columns
        super.init()
    }

    /// Moves the selection with the arrow keys, page up and down, home and end.
    /// - Returns: whether the key was one of these.
    @discardableResult
    public func handle(_ key: Key) -> Bool {
        let selected = selectedIndex
        guard let target = ListWindow.move(selected, by: key, count: rows.count, page: frame.size.height - 1) else { return false }
        if rows.indices.contains(target) { selectedID = rows[target].id }
        return true
    }

    private var selectedIndex: Int? {
        guard let selectedID else { return nil }
        return rows.firstIndex { $0.id == selectedID }
    }

    /// If the selected row was removed, selects the one that took its position; if there was none, the first.
    private func keepSelection(among old: [Row]) {
        setNeedsDisplay()
        guard selectedIndex == nil, !rows.isEmpty else { return }
        let place = old.firstIndex { $0.id == selectedID } ?? 0
        selectedID = rows[min(place, rows.count - 1)].id
    }

    public override func fittingSize(in available: Size) -> Size {
        Size(width: available.width, height: rows.count + 1)
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let body = Size(width: size.width, height: size.height - 1)
        let selected = selectedIndex
        window.follow(selected, count: rows.count, height: body.height)
        let thumb = window.thumb(count: rows.count, height: body.height)
        let edges = edges(in: thumb == nil ? size.width : size.width - 1)
        drawHeader(at: edges, in: &canvas)
        if rows.isEmpty { canvas.draw(placeholder.clipped(to: size.width - 1), at: Point(x: 1, y: 1), over: .dim) }
        for (line, index) in (window.top..<min(rows.count, window.top + body.height)).enumerated() {
            let rect = Rect(x: 0, y: line + 1, width: size.width, height: 1)
            let style = index == selected ? selectedStyle : .plain
            if index == selected { canvas.fill(rect, style: style) }
            canvas.inside(rect) { draw(rows[index], at: edges, style: style, in: &$0) }
        }
        guard let thumb else { return }
        canvas.fill(Rect(x: size.width - 1, y: 1 + thumb.lowerBound, width: 1, height: thumb.count), with: "▐", style: .dim)
    }

    /// Returns the left edge and the width of each column.
    private func edges(in width: Int) -> [(x: Int, width: Int)] {
        let widths = Length.distribute(
            columns.map(\.width), fitting: columns.indices.map(fittingWidth), available: width - 1, spacing: Self.spacing
        )
        var x = 1
        return widths.map { width in
            defer { x += width + Self.spacing }
            return (x, width)
        }
    }

    private func fittingWidth(ofColumn column: Int) -> Int {
        let title = TerminalText.width(of: columns[column].title) + 2
        guard columns[column].width == .fit else { return title }
        return rows.reduce(title) { widest, row in
            guard row.values.indices.contains(column), case .text(let text) = row.values[column] else { return widest }
            return max(widest, text.width)
        }
    }

    private func drawHeader(at edges: [(x: Int, width: Int)], in canvas: inout Canvas) {
        for (index, (column, edge)) in zip(columns, edges).enumerated() {
            let mark = sorting?.column == index ? (sorting?.isAscending == true ? " ▲" : " ▼") : ""
            let title = TerminalText.padded(column.title + mark, to: edge.width, alignment: column.alignment)
            canvas.draw(title, at: Point(x: edge.x, y: 0), style: headerStyle)
        }
    }

    private func draw(_ row: Row, at edges: [(x: Int, width: Int)], style: Style, in canvas: inout Canvas) {
        for (index, (value, edge)) in zip(row.values, edges).enumerated() where edge.width > 0 {
            switch value {
            case .text(let text):
                let text = text.clipped(to: edge.width)
                let offset = columns[index].alignment.offset(of: edge.width - text.width)
                canvas.draw(text, at: Point(x: edge.x + offset, y: 0), over: style)
            case .sparkline(let series, let own):
                canvas.inside(Rect(x: edge.x, y: 0, width: edge.width, height: 1)) {
                    Sparkline.draw(series, style: own.over(style), in: &$0)
                }
            }
        }
    }

    private static let spacing = 1
}
