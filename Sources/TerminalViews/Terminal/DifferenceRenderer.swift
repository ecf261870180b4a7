/// Computes the output that changes the terminal from one frame to the next.
///
/// The output is close to minimal: unchanged cells are skipped where moving the cursor is shorter than rewriting them, one code erases
/// trailing blanks, and styles are sent as differences. Equal frames produce no output.
package struct DifferenceRenderer: Sendable {
    private let depth: Color.Depth
    private let isASCII: Bool
    private var shown: Canvas?

    /// Creates a renderer. With `isASCII`, other characters are replaced, see ``TerminalText/ascii(_:)``.
    package init(depth: Color.Depth, isASCII: Bool = false) {
        self.depth = depth
        self.isASCII = isASCII
    }

    /// Invalidates the known state of the terminal, so that the next frame is drawn completely. Call it for a terminal that was resized or
    /// that others have used.
    package mutating func invalidate() {
        shown = nil
    }

    /// Returns the bytes that make the terminal show `picture`; empty if it already does. O(cells).
    package mutating func render(_ picture: Canvas) -> [UInt8] {
        let last = shown?.size == picture.size ? shown : nil
        var writer = TerminalWriter(depth: depth, isASCII: isASCII, style: last.map { _ in .plain })
        if last == nil { writer.clearScreen() }
        let old = last ?? Canvas(size: picture.size)
        for y in 0..<picture.size.height {
            draw(picture.row(y), over: old.row(y), y: y, with: &writer)
        }
        shown = picture
        guard !writer.bytes.isEmpty else { return [] }
        writer.use(.plain)
        return writer.bytes
    }

    private func draw(_ new: ArraySlice<Canvas.Cell>, over old: ArraySlice<Canvas.Cell>, y: Int, with writer: inout TerminalWriter) {
        guard !new.elementsEqual(old) else { return }
        // Where terminals may disagree on a width, neighboring cells may be displaced: such a row is redrawn completely.
        guard old.allSatisfy(\.hasCertainWidth), new.allSatisfy(\.hasCertainWidth) else {
            writer.move(to: Point(x: 0, y: y))
            writer.eraseToEndOfLine()
            return drawChanges(in: new, over: ArraySlice(Array(repeating: .blank, count: new.count)), y: y, with: &writer)
        }
        drawChanges(in: new, over: old, y: y, with: &writer)
    }

    private func drawChanges(in new: ArraySlice<Canvas.Cell>, over old: ArraySlice<Canvas.Cell>, y: Int, with writer: inout TerminalWriter)
    {
        let start = new.startIndex
        let shift = old.startIndex - start
        let end = new.lastIndex { $0 != .blank }.map { $0 + 1 } ?? start
        let changedAfterEnd = (end..<new.endIndex).filter { old[$0 + shift] != .blank }.count
        let erases = changedAfterEnd > Self.eraseLength
        var unchanged = start
        for index in start..<(erases ? end : new.endIndex) where new[index] != old[index + shift] && new[index].width > 0 {
            writer.move(to: Point(x: index - start, y: y), over: new[unchanged..<index])
            writer.put(new[index], lastColumn: new.count - 1)
            unchanged = index + Int(new[index].width)
        }
        guard erases else { return }
        writer.move(to: Point(x: end - start, y: y))
        writer.eraseToEndOfLine()
    }

    /// The maximum number of cells that are overwritten with spaces rather than erased by a code.
    private static let eraseLength = 3
}
