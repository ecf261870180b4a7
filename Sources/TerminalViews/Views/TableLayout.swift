/// Decides which columns of a table are shown, and where.
enum TableLayout {
    /// The place of a column.
    struct Edge: Hashable {
        let column: Int
        let x: Int
        let width: Int

        var range: Range<Int> { x..<x + width }
    }

    /// Returns the places of the columns that fit in `width`, from left to right. O(columns² + rows x fitting columns).
    static func edges(of columns: [Table.Column], rows: [Table.Row], sorting: Table.Sorting?, in width: Int) -> [Edge] {
        let room = width - 1
        let titles = columns.indices.map { TerminalText.width(of: columns[$0].title + mark(of: $0, sorting)) }
        let fitting = columns.indices.map { columns[$0].width == .fit ? max(titles[$0], contentWidth(of: $0, rows)) : titles[$0] }
        let minima = columns.indices.map { max(titles[$0], columns[$0].minimum(fitting: fitting[$0])) }
        let preferred = columns.indices.map { max(minima[$0], min(fitting[$0], columns[$0].preferred)) }
        let shown = shownColumns(columns, minima: minima, preferred: preferred, in: room)
        let grown = grow(shown, columns, minima: minima, fitting: fitting, in: room)
        let widths = View.Length.distribute(grown, fitting: shown.map { minima[$0] }, available: room, spacing: spacing)
        var x = 1
        return zip(shown, widths).map { column, width in
            defer { x += width + spacing }
            return Edge(column: column, x: x, width: width)
        }
    }

    /// The indicator of the column by which the rows are sorted.
    static func mark(of column: Int, _ sorting: Table.Sorting?) -> String {
        guard let sorting, sorting.column == column else { return "" }
        return sorting.isAscending ? " ▲" : " ▼"
    }

    /// Leaves out the columns of the highest rank, beginning with the last, until the others fit.
    private static func shownColumns(_ columns: [Table.Column], minima: [Int], preferred: [Int], in room: Int) -> [Int] {
        var shown = columns.indices.filter { !columns[$0].isHidden }
        while let last = shown.max(by: { (columns[$0].rank, $0) < (columns[$1].rank, $1) }), columns[last].rank > 0 {
            // A column gives way to columns that want to be wider, if its rank is above their `preferredRank`.
            let widths = shown.map { columns[$0].preferredRank < columns[last].rank ? preferred[$0] : minima[$0] }
            guard widths.reduce((shown.count - 1) * spacing, +) > room else { break }
            shown.removeAll { $0 == last }
        }
        return shown
    }

    /// Lets the columns that fit their content grow up to it, the lowest rank first; the flexible columns share the remaining space.
    private static func grow(_ shown: [Int], _ columns: [Table.Column], minima: [Int], fitting: [Int], in room: Int) -> [View.Length] {
        var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, minima[$0]) })
        var left = room - shown.reduce((shown.count - 1) * spacing) { $0 + minima[$1] }
        for column in shown.sorted(by: { (columns[$0].rank, $0) < (columns[$1].rank, $1) }) where columns[column].width == .fit {
            let more = min(max(0, left), fitting[column] - minima[column])
            widths[column, default: 0] += more
            left -= more
        }
        return shown.map { column in
            if case .flexible(let weight, _, let maximum) = columns[column].width {
                return .flexible(weight: weight, minimum: minima[column], maximum: maximum)
            }
            return .fixed(widths[column] ?? 0)
        }
    }

    private static func contentWidth(of column: Int, _ rows: [Table.Row]) -> Int {
        rows.reduce(0) { max($0, $1.text(of: column)?.width ?? 0) }
    }

    private static let spacing = 1
}

extension Table.Column {
    fileprivate func minimum(fitting: Int) -> Int {
        switch width {
        case .fit: min(minimum ?? fitting, fitting)
        case .fixed(let cells): cells
        case .flexible(_, let minimum, _): minimum
        }
    }
}

/// The places at which the texts of columns are cut. They are kept while the texts stay the same: comparing texts is cheap, trying cuts is
/// not.
struct MiddleCuts {
    private struct Cut {
        let width: Int
        let texts: [StyledText]
        let head: Int
    }

    private var cuts: [Int: Cut] = [:]

    /// Returns the number of columns that the texts of that column keep of their beginnings; `nil` if none of them is cut.
    mutating func head(of edge: TableLayout.Edge, rows: [Table.Row]) -> Int? {
        let texts = rows.compactMap { $0.text(of: edge.column) }
        guard texts.contains(where: { $0.width > edge.width }) else { return nil }
        if let cut = cuts[edge.column], cut.width == edge.width, cut.texts == texts { return cut.head }
        let head = StyledText.Truncation.head(keepingApart: texts, in: edge.width)
        cuts[edge.column] = Cut(width: edge.width, texts: texts, head: head)
        return head
    }
}

/// The rows of a table as they were last drawn. A row that did not change is copied, which costs a fraction of drawing it.
struct DrawnRows {
    /// The settings on which all rows depend, besides their values.
    struct Layout: Equatable {
        let columns: [Table.Column]
        let edges: [TableLayout.Edge]
        /// The number of columns that texts cut in the middle keep of their beginnings.
        let cuts: [Int?]
        let width: Int
        let selected: Style
    }

    private struct Drawn {
        let row: Table.Row
        let isSelected: Bool
        let cells: [Canvas.Cell]
    }

    private var layout: Layout?
    private var last: [String: Drawn] = [:]
    private var next: [String: Drawn] = [:]

    /// Begins a frame. In another layout, every row is drawn again.
    mutating func begin(_ layout: Layout) {
        if layout != self.layout { last = [:] }
        self.layout = layout
    }

    /// Draws a row into a rectangle of its own, by `draw` if it has changed. On a background that is not blank it is always drawn.
    mutating func draw(_ row: Table.Row, isSelected: Bool, in canvas: inout Canvas, _ draw: (inout Canvas) -> Void) {
        let isBlank = canvas.wholeRow?.allSatisfy { $0 == .blank } == true
        guard let known = last[row.id], isBlank, known.isSelected == isSelected, known.row == row else {
            draw(&canvas)
            guard isBlank, let cells = canvas.wholeRow else { return }
            return next[row.id] = Drawn(row: row, isSelected: isSelected, cells: Array(cells))
        }
        canvas.replaceRow(with: known.cells)
        next[row.id] = known
    }

    /// Ends a frame and forgets the rows that are no longer visible.
    mutating func finish() {
        swap(&last, &next)
        next.removeAll(keepingCapacity: true)
    }
}
