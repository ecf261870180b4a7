/// A grid of cells to draw on.
///
/// Coordinates are relative to the rectangle being drawn in, see ``draw(inside:_:)``; drawing outside of it is clipped.
public struct Canvas: Sendable, Equatable {
    /// The size of the whole grid.
    public let size: Size
    /// Whether braille is shown as such; a view draws something else if not.
    public let drawsBraille: Bool
    private(set) var cells: [Cell]
    /// The rectangle being drawn in, in cells of the whole grid.
    private var area: Rect
    /// The visible part of the area, which can extend beyond its parent.
    private var clip: Rect

    /// Creates a blank grid of at most 1000 columns and 500 rows.
    public init(size: Size, drawsBraille: Bool = true) {
        let size = size.drawable
        self.size = size
        self.drawsBraille = drawsBraille
        cells = Array(repeating: .blank, count: size.width * size.height)
        area = Rect(size: size)
        clip = area
    }

    /// The size of the rectangle being drawn in.
    public var drawingSize: Size { area.size }

    /// The cell in that column and row of the whole grid; `nil` outside the grid.
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

    /// Draws with the corner of `rect` as the origin, clipped to `rect`.
    public mutating func draw(inside rect: Rect, _ body: (inout Canvas) -> Void) {
        let outer = (area, clip)
        area = Rect(x: area.left + rect.left, y: area.top + rect.top, width: rect.size.width, height: rect.size.height)
        clip = clip.intersection(area)
        body(&self)
        (area, clip) = outer
    }

    /// Draws one line of sanitized text and returns the column after it. Line breaks become spaces. O(n).
    @discardableResult
    public mutating func draw(_ text: String, at point: Point = .zero, style: Style = .plain) -> Int {
        var x = point.x
        guard !text.isPrintableASCII else {
            for byte in text.utf8 {
                put(Cell(ascii: byte, style: style), x: x + area.left, y: point.y + area.top)
                x += 1
            }
            return x
        }
        for character in text.lazy.flatMap(\.cells) {
            guard let cell = Cell(character, style: style) else { continue }
            put(cell, x: x + area.left, y: point.y + area.top)
            x += Int(cell.width)
        }
        return x
    }

    /// Draws one line of styled text and returns the column after it. Unspecified parts of a style are taken from `base`.
    @discardableResult
    public mutating func draw(_ text: StyledText, at point: Point = .zero, over base: Style = .plain) -> Int {
        text.spans.reduce(point.x) { x, span in
            draw(span.text, at: Point(x: x, y: point.y), style: span.style.over(base))
        }
    }

    /// Fills a rectangle with a character, by default spaces, in that style.
    public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style) {
        guard let cell = Cell(character, style: style), cell.width == 1 else { return }
        let target = Rect(x: rect.left + area.left, y: rect.top + area.top, width: rect.size.width, height: rect.size.height)
            .intersection(clip)
        for y in target.top..<max(target.top, target.bottom) {
            for x in target.left..<max(target.left, target.right) { put(cell, x: x, y: y) }
        }
    }

    /// The cells of the rectangle being drawn in, if it is one row and nothing of it is clipped.
    var wholeRow: ArraySlice<Cell>? { wholeRange.map { cells[$0] } }

    /// Replaces the cells of the rectangle being drawn in, which ``wholeRow`` has returned.
    mutating func replaceRow(with row: [Cell]) {
        guard let range = wholeRange, range.count == row.count else { return }
        for (index, cell) in zip(range, row) { cells[index] = cell }
    }

    private var wholeRange: Range<Int>? {
        guard area.size.height == 1, clip == area, !area.isEmpty else { return nil }
        let start = area.top * size.width
        return start + area.left..<start + area.right
    }

    /// Draws one cell.
    mutating func put(_ cell: Cell, at point: Point) {
        put(cell, x: point.x + area.left, y: point.y + area.top)
    }

    /// Sets a cell at absolute coordinates. A wide character that would be cut in half becomes a space.
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
        // If one half of a wide character is overwritten, the other half disappears too.
        if old == 0, cell.width != 0 { cells[index - 1] = .space(cells[index - 1].style) }
        if old == 2 { cells[index + 1] = .space(cells[index + 1].style) }
        cells[index] = cell
    }

    /// The characters of the grid, one row per line, without trailing spaces, for snapshot tests.
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
    /// Returns this style with its unspecified parts taken from `base`.
    func over(_ base: Style) -> Style {
        Style(
            foreground == .standard ? base.foreground : foreground,
            on: background == .standard ? base.background : background,
            attributes.union(base.attributes)
        )
    }
}

extension Canvas {
    /// One position of the grid: a printable character and its style.
    ///
    /// No cell can contain a control character, whatever it was created from: untrusted text cannot control the terminal.
    public struct Cell: Hashable, Sendable {
        /// The character that is shown; a space in the right half of a wide character.
        public let character: Character
        /// The style in which it is shown.
        public let style: Style
        /// The number of columns: 1 or 2; 0 for the right half of the wide character to its left.
        public let width: Int8
        /// Whether all terminals agree on the width. They disagree about joined emoji and rare clusters.
        let hasCertainWidth: Bool

        /// Creates a cell; `nil` for a character without width, such as a lone combining mark.
        init?(_ character: Character, style: Style) {
            if let byte = character.utf8.first, (0x20...0x7E).contains(byte), character.utf8.count == 1 {
                self.init(safe: character, style: style, width: 1, hasCertainWidth: true)
                return
            }
            let visible = TerminalText.visible(character)
            let width = TerminalText.width(of: visible)
            guard width > 0 else { return nil }
            self.init(safe: visible, style: style, width: Int8(width), hasCertainWidth: Self.isCertainWidth(of: visible))
        }

        /// Creates a cell of a printable character.
        init(ascii byte: UInt8, style: Style) {
            self.init(safe: Character(Unicode.Scalar(byte)), style: style, width: 1, hasCertainWidth: true)
        }

        private init(safe character: Character, style: Style, width: Int8, hasCertainWidth: Bool) {
            self.character = character
            self.style = style
            self.width = width
            self.hasCertainWidth = hasCertainWidth
        }

        static let blank = space(.plain)

        static func space(_ style: Style) -> Cell {
            Cell(safe: " ", style: style, width: 1, hasCertainWidth: true)
        }

        static func rightHalf(_ style: Style) -> Cell {
            Cell(safe: " ", style: style, width: 0, hasCertainWidth: true)
        }

        private static func isCertainWidth(of character: Character) -> Bool {
            let scalars = character.unicodeScalars
            guard let first = scalars.first, first.value >= 0x300 || scalars.count > 1 else { return true }
            return scalars.count == 1 && first.value < 0x1F000 && !first.isPrepended
        }
    }
}
