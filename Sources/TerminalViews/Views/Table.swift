/// Rows of columns with a header; one row can be selected, and a list longer than the view scrolls.
///
/// The selection is stored as a row's `id`, so that it follows the row when the rows are sorted.
public final class Table: View {
    /// A column: its title, and the way in which its values are shown.
    public struct Column: Hashable, Sendable {
        /// The title in the header.
        public let title: String
        /// The number of terminal columns that it takes.
        public let width: View.Length
        /// The place of its values within the column.
        public let alignment: StyledText.Alignment
        /// The rank of the column: where there is too little space, columns of the highest rank disappear first; those of rank 0 never do.
        public let rank: Int
        /// The width to which a `.fit` column may shrink; `nil` keeps its content whole.
        public let minimum: Int?
        /// The width up to which a `.fit` column shows its content before columns of a higher rank than `preferredRank` are shown.
        public let preferred: Int
        /// The highest rank of the columns that are shown even where this column is narrower than `preferred`.
        public let preferredRank: Int
        /// The place at which text that does not fit is cut. If it is cut in the middle, different rows still differ if possible.
        public let truncation: StyledText.Truncation
        /// Whether the column is left out, at any width.
        public var isHidden = false

        /// Creates a column. It is never narrower than its title.
        public init(
            _ title: String, width: View.Length = .flexible(), alignment: StyledText.Alignment = .leading, rank: Int = 0,
            minimum: Int? = nil,
            preferred: Int = 0, over preferredRank: Int = 0, truncation: StyledText.Truncation = .tail
        ) {
            self.title = title
            self.width = width
            self.alignment = alignment
            self.rank = rank
            self.minimum = minimum
            self.preferred = preferred
            self.preferredRank = preferredRank
            self.truncation = truncation
        }
    }

    /// The content of one column of one row.
    public enum Value: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// Text.
        case text(StyledText)
        /// A row of bars.
        case sparkline(Sparkline.Series, Style = .plain)

        public init(stringLiteral text: String) {
            self = .text(StyledText(text))
        }
    }

    /// A row: a value for each column.
    public struct Row: Hashable, Sendable {
        /// The identifier that the selection follows.
        public let id: String
        private let content: RowContent

        /// A value for each column, in order.
        public var values: [Value] { content.values }

        /// Creates a row.
        public init(id: String, _ values: [Value]) {
            self.id = id
            content = .made(values)
        }

        /// Creates a row whose values are made each time that it is drawn: of many rows, only the visible ones have values.
        ///
        /// - Parameters:
        ///   - id: the identifier that the selection follows.
        ///   - version: rows with the same `id` and `version` count as equal.
        ///   - values: called on the main actor. Columns of width `.fit`, and those cut in the middle, call it for every row.
        public init(id: String, version: Int, values: @escaping @Sendable () -> [Value]) {
            self.id = id
            content = .lazy(version: version, values)
        }
    }

    /// The column by which the rows are sorted. The table only displays it; the owner of the rows sorts them.
    public struct Sorting: Hashable, Sendable {
        /// The position of the column.
        public let column: Int
        /// Whether the smallest value is at the top.
        public let isAscending: Bool

        /// Creates an order.
        public init(column: Int, isAscending: Bool = true) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    /// The columns, from left to right.
    public var columns: [Column] { didSet { if columns != oldValue { setNeedsDisplay() } } }
    /// The rows, from top to bottom.
    public var rows: [Row] = [] { didSet { if rows != oldValue { keepSelection(among: oldValue) } } }
    /// The order that the header shows; `nil` if it shows none.
    public var sorting: Sorting? { didSet { if sorting != oldValue { setNeedsDisplay() } } }
    /// The text that is shown if there are no rows.
    public var placeholder: StyledText = "" { didSet { if placeholder != oldValue { setNeedsDisplay() } } }
    /// The style of the header.
    public var headerStyle = Style(.cyan, .bold) { didSet { if headerStyle != oldValue { setNeedsDisplay() } } }
    /// The style of the selected row; dim while another view has the keys.
    public var selectedStyle = Style.inverse { didSet { if selectedStyle != oldValue { setNeedsDisplay() } } }
    /// The `id` of the selected row. An `id` without a row is kept until the row appears. Until this property, a key or a click selects a
    /// row, the first row is selected; see ``holdsFirstRow``.
    public var selectedID: String? {
        didSet {
            isSelectionChosen = true
            guard selectedID != oldValue else { return }
            selectionRelay.accept(selectedID)
            setNeedsDisplay()
        }
    }

    /// Whether the first row stays selected when other rows come before it, as long as no other row is selected. Everything that depends on
    /// the selection then holds still, and the table stays scrolled to its top. If `false`, the selection is always the current first row.
    public var holdsFirstRow = false

    /// Emits the selection, starting with the current one.
    public var selection: Observable<String?> { selectionRelay.asObservable() }

    /// Emits the number of a column whose title was clicked.
    public var headerClicks: Observable<Int> { headerClickRelay.asObservable() }

    /// Emits the numbers of the columns that fit, from left to right, whenever a drawing shows other columns than the previous one.
    public var shownColumns: Observable<[Int]> { shownColumnsRelay.asObservable() }

    private let shownColumnsRelay = PublishRelay<[Int]>()
    private let selectionRelay = BehaviorRelay<String?>(value: nil)
    private let headerClickRelay = PublishRelay<Int>()
    private var isSelectionChosen = false
    private var window = ListWindow()
    private var drawnColumns: [TableLayout.Edge] = [] {
        didSet {
            let shown = drawnColumns.map(\.column)
            if shown != oldValue.map(\.column) { shownColumnsRelay.accept(shown) }
        }
    }
    private var heads = MiddleCuts()
    private var drawnRows = DrawnRows()

    /// Creates a table without rows.
    public init(columns: [Column]) {
        self.columns = columns
        super.init()
        canBecomeFocused = true
    }

    /// Moves the selection with the arrow keys, page up and down, home, end, the wheel and a click; a click on a title is emitted.
    /// - Returns: whether the key was one of these.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        if let mouse = key.mouse {
            guard let point = position(of: mouse.position) else { return false }
            if mouse.action == .press(.left) { return click(point) }
        }
        let selected = selectedIndex
        guard let target = ListWindow.move(selected, by: key, count: rows.count, page: frame.size.height - 1) else { return false }
        if rows.indices.contains(target) { selectedID = rows[target].id }
        return true
    }

    private func click(_ point: Point) -> Bool {
        guard point.y > 0 else {
            guard let edge = drawnColumns.first(where: { $0.range.contains(point.x) }) else { return false }
            headerClickRelay.accept(edge.column)
            return true
        }
        let index = window.top + point.y - 1
        guard rows.indices.contains(index) else { return false }
        selectedID = rows[index].id
        return true
    }

    private var shownSelection: Style { isFocused ? selectedStyle : selectedStyle.with(.dim) }

    private var selectedIndex: Int? {
        guard let selectedID else { return nil }
        return rows.firstIndex { $0.id == selectedID }
    }

    /// If the selected row was removed, selects the row that took its position; if there was no selection, selects the first row.
    private func keepSelection(among old: [Row]) {
        setNeedsDisplay()
        guard isSelectionChosen else {
            if !holdsFirstRow || selectedIndex == nil { selectFirst() }
            return
        }
        guard selectedIndex == nil, !rows.isEmpty else { return }
        let place = old.firstIndex { $0.id == selectedID } ?? 0
        selectedID = rows[min(place, rows.count - 1)].id
    }

    private func selectFirst() {
        guard let first = rows.first else { return }
        selectedID = first.id
        isSelectionChosen = false
    }

    public override func fittingSize(in available: Size) -> Size {
        Size(width: available.width, height: rows.count + 1)
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        let body = Size(width: size.width, height: size.height - 1)
        let selected = selectedIndex
        window.follow(isSelectionChosen ? selected : 0, count: rows.count, height: body.height)
        let thumb = window.thumb(count: rows.count, height: body.height)
        drawnColumns = TableLayout.edges(of: columns, rows: rows, sorting: sorting, in: thumb == nil ? size.width : size.width - 1)
        let cuts = drawnColumns.map { edge in
            columns[edge.column].truncation == .middle ? heads.head(of: edge, rows: rows) : nil
        }
        drawnRows.begin(DrawnRows.Layout(columns: columns, edges: drawnColumns, cuts: cuts, width: size.width, selected: shownSelection))
        drawHeader(at: drawnColumns, in: &canvas)
        if rows.isEmpty { canvas.draw(placeholder.clipped(to: size.width - 1), at: Point(x: 1, y: 1), over: .dim) }
        for (line, index) in (window.top..<min(rows.count, window.top + body.height)).enumerated() {
            let row = rows[index]
            canvas.draw(inside: Rect(x: 0, y: line + 1, width: size.width, height: 1)) { canvas in
                drawnRows.draw(row, isSelected: index == selected, in: &canvas) { draw(row, cuts, isSelected: index == selected, in: &$0) }
            }
        }
        drawnRows.finish()
        guard let thumb else { return }
        canvas.fill(Rect(x: size.width - 1, y: 1 + thumb.lowerBound, width: 1, height: thumb.count), with: "▐", style: .dim)
    }

    private func drawHeader(at edges: [TableLayout.Edge], in canvas: inout Canvas) {
        for edge in edges {
            let column = columns[edge.column]
            let title = TerminalText.padded(
                column.title + TableLayout.mark(of: edge.column, sorting), to: edge.width, alignment: column.alignment)
            canvas.draw(title, at: Point(x: edge.x, y: 0), style: headerStyle)
        }
    }

    /// - Parameter cuts: the number of columns that texts cut in the middle keep of their beginnings.
    private func draw(_ row: Row, _ cuts: [Int?], isSelected: Bool, in canvas: inout Canvas) {
        let style = isSelected ? shownSelection : .plain
        let values = row.values
        if isSelected { canvas.fill(Rect(size: canvas.drawingSize), style: style) }
        for (edge, head) in zip(drawnColumns, cuts) where edge.width > 0 && values.indices.contains(edge.column) {
            switch values[edge.column] {
            case .text(let text):
                let text = head.map { text.clippedInMiddle(to: edge.width, keeping: $0) } ?? text.clipped(to: edge.width)
                let offset = columns[edge.column].alignment.offset(of: edge.width - text.width)
                canvas.draw(text, at: Point(x: edge.x + offset, y: 0), over: style)
            case .sparkline(let series, let own):
                // In an inverse row the bars have the colors of the row: as background colors, their own would cut a hole into it.
                let bars = style.attributes.contains(.inverse) ? style : own.over(style).without(.inverse)
                canvas.draw(inside: Rect(x: edge.x, y: 0, width: edge.width, height: 1)) {
                    // One eighth stays free, so that the bars of two rows do not touch.
                    Sparkline.draw(series, style: bars, top: 7, in: &$0)
                }
            }
        }
    }
}

/// The values of a row, or the closure that makes them.
private enum RowContent: Hashable, Sendable {
    case made([Table.Value])
    case lazy(version: Int, @Sendable () -> [Table.Value])

    var values: [Table.Value] {
        switch self {
        case .made(let values): values
        case .lazy(_, let make): make()
        }
    }

    static func == (left: RowContent, right: RowContent) -> Bool {
        switch (left, right) {
        case (.made(let left), .made(let right)): left == right
        case (.lazy(let left, _), .lazy(let right, _)): left == right
        case (.made, .lazy), (.lazy, .made): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .made(let values): hasher.combine(values)
        case .lazy(let version, _): hasher.combine(version)
        }
    }
}

extension Table.Row {
    /// The text of a column; `nil` for a sparkline and for a column that the row does not have.
    func text(of column: Int) -> StyledText? {
        let values = values
        guard values.indices.contains(column), case .text(let text) = values[column] else { return nil }
        return text
    }
}
