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
        let cells: [Cell]
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
