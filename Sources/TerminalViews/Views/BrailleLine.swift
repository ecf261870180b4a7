/// A line of braille dots, for charts.
enum BrailleLine {
    static let dotsAcross = 2
    static let dotsDown = 4

    /// Draws a line through these heights in dots, of which each cell has two beside each other. 0 is a gap, in which the line ends.
    static func draw(_ levels: [Int], style: Style, in canvas: inout Canvas) {
        let size = canvas.drawingSize
        guard size.width > 0, size.height > 0 else { return }
        var patterns = Array(repeating: UInt32(0), count: size.width * size.height)
        for (place, level) in levels.enumerated() where level > 0 {
            let before = place > 0 && levels[place - 1] > 0 ? levels[place - 1] : level
            // The dots up to the height before join the two; the column before has that height itself.
            let range = before < level ? before + 1...level : before > level ? level...before - 1 : level...level
            for height in range {
                let row = size.height * dotsDown - height
                let cell = row / dotsDown * size.width + place / dotsAcross
                guard patterns.indices.contains(cell) else { continue }
                patterns[cell] |= dots[place % dotsAcross][row % dotsDown]
            }
        }
        for (index, pattern) in patterns.enumerated() where pattern != 0 {
            guard let scalar = Unicode.Scalar(firstPattern + pattern), let cell = Canvas.Cell(Character(scalar), style: style) else {
                continue
            }
            canvas.put(cell, at: Point(x: index % size.width, y: index / size.width))
        }
    }

    /// The bits of the dots: of the left and the right column, from top to bottom.
    ///
    /// Source: [Unicode, Braille Patterns](https://www.unicode.org/charts/PDF/U2800.pdf).
    private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    private static let firstPattern: UInt32 = 0x2800
}
