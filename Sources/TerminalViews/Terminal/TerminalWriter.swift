/// Collects output for a terminal: characters, and the shortest codes that set the cursor and the style.
///
/// Codes: [ECMA-48](https://ecma-international.org/publications-and-standards/standards/ecma-48/), CUP, CUF, EL, SGR.
struct TerminalWriter {
    private(set) var bytes: [UInt8] = []
    private let depth: Color.Depth
    private let isASCII: Bool
    /// The position of the cursor; `nil` if it is uncertain.
    private var cursor: Point?
    private var style: Style?

    /// Creates a writer. `style` is the current style of the terminal; `nil` if it is unknown.
    init(depth: Color.Depth, isASCII: Bool, style: Style?) {
        self.depth = depth
        self.isASCII = isASCII
        self.style = style
    }

    mutating func clearScreen() {
        use(.plain)
        emit("\u{1B}[2J")
    }

    mutating func eraseToEndOfLine() {
        use(.plain)
        emit("\u{1B}[K")
    }

    mutating func put(_ cell: Canvas.Cell, lastColumn: Int) {
        use(cell.style)
        if isASCII { emit(TerminalText.ascii(cell.character)) } else { emit(String(cell.character)) }
        guard let at = cursor else { return }
        let next = at.x + Int(cell.width)
        // Terminals differ in the position of the cursor after the last column.
        cursor = cell.hasCertainWidth && next <= lastColumn ? Point(x: next, y: at.y) : nil
    }

    mutating func move(to target: Point) {
        guard let from = cursor, from != target else {
            if cursor == nil { moveAbsolute(to: target) }
            return
        }
        cursor = target
        if from.y == target.y, target.x > from.x {
            let distance = target.x - from.x
            return emit(distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C")
        }
        if target.x == 0, target.y == from.y + 1 { return emit("\r\n") }
        moveAbsolute(to: target)
    }

    /// Moves over unchanged cells, by rewriting them where that is shorter than moving the cursor.
    mutating func move(to target: Point, over unchanged: ArraySlice<Canvas.Cell>) {
        let isBefore = cursor == Point(x: target.x - unchanged.count, y: target.y)
        guard isBefore, unchanged.count <= Self.jumpLength, unchanged.allSatisfy(isCheap) else { return move(to: target) }
        for cell in unchanged { put(cell, lastColumn: .max) }
    }

    /// Whether this cell takes only one byte to write.
    private func isCheap(_ cell: Canvas.Cell) -> Bool {
        cell.width == 1 && cell.character.isASCII && cell.style.reduced(to: depth) == style
    }

    private mutating func moveAbsolute(to target: Point) {
        cursor = target
        switch (target.x, target.y) {
        case (0, 0): emit("\u{1B}[H")
        case (0, let y): emit("\u{1B}[\(y + 1)H")
        case (let x, let y): emit("\u{1B}[\(y + 1);\(x + 1)H")
        }
    }

    /// Changes the style to `next` with the shortest code.
    mutating func use(_ next: Style) {
        let next = next.reduced(to: depth)
        guard next != style else { return }
        defer { style = next }
        if next == .plain { return emit("\u{1B}[m") }
        guard let old = style, old.attributes.isSubset(of: next.attributes) else {
            return emit("\u{1B}[0;\(codes(from: .plain, to: next))m")
        }
        emit("\u{1B}[\(codes(from: old, to: next))m")
    }

    private func codes(from old: Style, to next: Style) -> String {
        let added = next.attributes.subtracting(old.attributes)
        var codes = Self.attributeCodes.filter { added.contains($0.attribute) }.map(\.code)
        if next.foreground != old.foreground { codes.append(next.foreground.code(base: 30)) }
        if next.background != old.background { codes.append(next.background.code(base: 40)) }
        return codes.joined(separator: ";")
    }

    private mutating func emit(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// The length of a cursor movement to the right.
    private static let jumpLength = 4
    private static let attributeCodes: [(attribute: Style.Attributes, code: String)] = [
        (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.inverse, "7"), (.strikethrough, "9"),
    ]
}

extension Style {
    fileprivate func reduced(to depth: Color.Depth) -> Style {
        Style(foreground.reduced(to: depth), on: background.reduced(to: depth), attributes)
    }
}

extension Color {
    /// Returns the color's code; `base` is 30 for text and 40 for the background.
    fileprivate func code(base: Int) -> String {
        switch self {
        case .standard: "\(base + 9)"
        case .named(let index): index < 8 ? "\(base + Int(index))" : "\(base + 52 + Int(index & 15))"
        case .palette(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
