import Foundation
import TerminalViews

/// The lines on the screen: the newest at the bottom, each with the name of its source. Keys scroll back; the end follows again.
final class TailLog: View {
    private let names: [StyledText]
    private let nameWidth: Int
    private let theme: Theme
    private var kept: TailBuffer
    private var held: TailBuffer
    private var shown: ArraySlice<TailLine> = []
    /// The number of lines below the last one on the screen; 0 follows.
    private var back = 0
    /// The words that a line must contain, in lower case.
    private var words: [String] = []
    /// The number of lines on the screen when it was last drawn.
    private var pageLines = 1

    /// The words that a line must contain to be shown, in any case.
    var filter = "" { didSet { if filter != oldValue { find() } } }
    /// Whether JSON lines are laid out.
    var laysOutJSON = true { didSet { setNeedsDisplay() } }
    /// Whether new lines wait.
    private(set) var isPaused = false

    init(_ names: [String], theme: Theme, bounds: @autoclosure () -> TailBuffer = TailBuffer()) {
        let widest = names.map { TerminalText.width(of: $0) }.max() ?? 0
        nameWidth = names.count > 1 ? min(widest, Self.widestName) : 0
        self.names = names.enumerated().map { StyledText($0.element, Self.color($0.offset)).clipped(to: Self.widestName) }
        self.theme = theme
        (kept, held) = (bounds(), bounds())
        super.init()
        canBecomeFocused = true
    }

    /// The color of a source: those with neighboring numbers differ.
    static func color(_ source: Int) -> Style {
        let colors: [Color] = [.cyan, .green, .yellow, .magenta, .blue, .red]
        return Style(colors[source % colors.count])
    }

    /// The text that the top of the screen shows for it.
    var status: StyledText {
        guard isPaused else { return back > 0 ? StyledText("scrolled back, end follows", theme.warning) : "live" }
        let waiting = held.lines.isEmpty ? "" : ", \(Wording.count(held.lines.count, "line")) wait\(held.lines.count == 1 ? "s" : "")"
        let left = held.leftOut > 0 ? ", \(held.leftOut) left out" : ""
        return StyledText("paused\(waiting)\(left)", theme.warning)
    }

    /// Adds a line, or keeps it for later while paused.
    func append(_ line: TailLine) {
        if isPaused { held.append(line) } else { show(line) }
        setNeedsDisplay()
    }

    private func show(_ line: TailLine) {
        kept.append(line)
        guard let last = kept.lines.last, let first = kept.lines.first else { return }
        if matches(last) {
            shown.append(last)
            // What is on the screen stays there while the program scrolls back.
            if back > 0 { back += 1 }
        }
        while let oldest = shown.first, oldest.number < first.number { shown.removeFirst() }
        back = min(back, max(0, shown.count - 1))
    }

    /// Pauses or resumes. The lines that came meanwhile follow at once, after a line that says how much of it is missing.
    func togglePause() {
        isPaused.toggle()
        guard !isPaused else { return setNeedsDisplay() }
        let missing = held.leftOut
        var lines = held.takeAll()
        // The note takes the place of the first line, which would otherwise push it out.
        if missing > 0 { lines[0] = TailLine(source: 0, text: "\(missing + 1) lines left out during the pause", isNote: true) }
        for line in lines { show(line) }
        setNeedsDisplay()
    }

    private func find() {
        words = filter.lowercased().split(separator: " ").map(String.init)
        shown = kept.lines.filter(matches)[...]
        back = 0
        setNeedsDisplay()
    }

    private func matches(_ line: TailLine) -> Bool {
        guard !words.isEmpty, !line.isNote else { return true }
        let text = "\(names[line.source].string) \(line.text)".lowercased()
        return words.allSatisfy(text.contains)
    }

    override func handle(_ key: Key) -> Bool {
        switch key.code {
        case .up: scroll(by: 1)
        case .down: scroll(by: -1)
        case .pageUp: scroll(by: pageLines)
        case .pageDown: scroll(by: -pageLines)
        case .home: scroll(by: shown.count)
        case .end: scroll(by: -shown.count)
        case .mouse(let mouse) where mouse.action == .wheelUp: scroll(by: 3)
        case .mouse(let mouse) where mouse.action == .wheelDown: scroll(by: -3)
        default: return false
        }
        return true
    }

    private func scroll(by lines: Int) {
        back = min(max(0, back + lines), max(0, shown.count - 1))
        setNeedsDisplay()
    }

    override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        guard size.width > 0, size.height > 0 else { return }
        var rows: [StyledText] = []
        var first = shown.endIndex - back
        let last = first
        while first > shown.startIndex, rows.count < size.height {
            first -= 1
            rows = self.rows(of: shown[first], in: size.width, atMost: size.height) + rows
        }
        // Above the first line is nothing: the lines below fill the screen.
        var next = last
        while rows.count < size.height, next < shown.endIndex {
            rows += self.rows(of: shown[next], in: size.width, atMost: size.height)
            next += 1
        }
        back = shown.endIndex - next
        pageLines = max(1, next - first - 1)
        for (y, row) in rows.suffix(size.height).enumerated() { canvas.draw(row, at: Point(x: 0, y: y)) }
    }

    /// The rows of a line, the name of its source before the first.
    private func rows(of line: TailLine, in width: Int, atMost most: Int) -> [StyledText] {
        let indent = nameWidth > 0 && width > nameWidth * 2 ? nameWidth + 1 : 0
        let name = names[line.source]
        let padding = StyledText(String(repeating: " ", count: max(0, indent - name.width)))
        let parts = text(of: line).split(separator: "\n", omittingEmptySubsequences: false)
        let rows = parts.prefix(most).flatMap { part in
            StyledText(String(part), line.isNote ? theme.faint : .plain).wrapped(to: max(1, width - indent))
        }
        return rows.prefix(most).enumerated().map { offset, row in
            guard indent > 0 else { return row }
            return (offset == 0 && !line.isNote ? name + padding : StyledText(String(repeating: " ", count: indent))) + row
        }
    }

    private func text(of line: TailLine) -> String {
        guard laysOutJSON, !line.isNote, line.text.first == "{" || line.text.first == "[" else { return line.text }
        guard let text = JSONLayout.text(of: Data(line.text.utf8)) else { return line.text }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    private static let widestName = 24
}
