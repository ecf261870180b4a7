/// A grid of cells to draw on.
///
/// Coordinates count from the corner of the rectangle that is being drawn in, see ``inside(_:draw:)``; what falls outside is cut off.
public struct Canvas: Sendable, Equatable {
    public let size: Size
    private(set) var cells: [Cell]
    /// Where drawing goes, in cells of the whole grid.
    private var area: Rect
    /// The part of the area that is to be seen: areas can stand beyond the area around them.
    private var clip: Rect

    public init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.width * size.height)
        area = Rect(size: size)
        clip = area
    }

    /// The extent of the rectangle that is being drawn in.
    public var drawingSize: Size { area.size }

    /// The cell in that column and row of the whole grid; nil outside.
    public subscript(x: Int, y: Int) -> Cell? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        return cells[y * size.width + x]
    }

    func row(_ y: Int) -> ArraySlice<Cell> {
        cells[y * size.width..<(y + 1) * size.width]
    }

    mutating func clear() {
        for index in cells.indices { cells[index] = .blank }
    }

    /// Draws with the corner of `rect` as the origin and nothing outside of it.
    public mutating func inside(_ rect: Rect, draw: (inout Canvas) -> Void) {
        let outer = (area, clip)
        area = Rect(x: area.left + rect.left, y: area.top + rect.top, width: rect.size.width, height: rect.size.height)
        clip = clip.intersection(area)
        draw(&self)
        (area, clip) = outer
    }

    /// Draws one line of text, made safe, and returns the column after it. Line breaks in it are spaces. O(n).
    @discardableResult
    public mutating func draw(_ text: String, at point: Point = .zero, style: Style = .plain) -> Int {
        var x = point.x
        for character in text.lazy.flatMap(\.cells) {
            guard let cell = Cell(character, style: style) else { continue }
            put(cell, x: x + area.left, y: point.y + area.top)
            x += Int(cell.width)
        }
        return x
    }

    /// Draws one line of styled text and returns the column after it. A style's unsaid parts come from `base`.
    @discardableResult
    public mutating func draw(_ text: StyledText, at point: Point = .zero, over base: Style = .plain) -> Int {
        text.spans.reduce(point.x) { x, span in
            draw(span.text, at: Point(x: x, y: point.y), style: span.style.over(base))
        }
    }

    /// Fills a rectangle with spaces of that style, or with that character.
    public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style) {
        guard let cell = Cell(character, style: style), cell.width == 1 else { return }
        let target = Rect(x: rect.left + area.left, y: rect.top + area.top, width: rect.size.width, height: rect.size.height)
            .intersection(clip)
        for y in target.top..<max(target.top, target.bottom) {
            for x in target.left..<max(target.left, target.right) { put(cell, x: x, y: y) }
        }
    }

    /// Draws one cell.
    mutating func put(_ cell: Cell, at point: Point) {
        put(cell, x: point.x + area.left, y: point.y + area.top)
    }

    /// Puts a cell at absolute coordinates. Of a wide character that would be cut in half only a space remains.
    private mutating func put(_ cell: Cell, x: Int, y: Int) {
        guard y >= clip.top, y < clip.bottom else { return }
        guard cell.width == 2 else { return set(cell, x: x, y: y) }
        let fits = x >= clip.left && x + 1 < clip.right
        set(fits ? cell : .space(cell.style), x: x, y: y)
        set(fits ? .rightHalf(cell.style) : .space(cell.style), x: x + 1, y: y)
    }

    private mutating func set(_ cell: Cell, x: Int, y: Int) {
        guard x >= clip.left, x < clip.right else { return }
        let index = y * size.width + x
        let old = cells[index].width
        // A wide character whose one half is overwritten loses the other half too.
        if old == 0, cell.width != 0 { cells[index - 1] = .space(cells[index - 1].style) }
        if old == 2 { cells[index + 1] = .space(cells[index + 1].style) }
        cells[index] = cell
    }

    /// The characters of the grid, a line a row, without the spaces at the ends of the lines: what a snapshot test compares.
    public var text: String {
        (0..<size.height)
            .map { y in
                let line = row(y).filter { $0.width > 0 }.map(\.character)
                let spaces = line.reversed().prefix { $0 == " " }.count
                return String(line.dropLast(spaces))
            }
            .joined(separator: "\n")
    }
}

extension Style {
    /// This style where it says something, the other one where it does not.
    func over(_ base: Style) -> Style {
        Style(
            foreground == .standard ? base.foreground : foreground,
            on: background == .standard ? base.background : background,
            attributes.union(base.attributes)
        )
    }
}
