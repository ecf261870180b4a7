import TerminalViews
import TestSupport

/// A picture of a terminal's screen as SVG: its cells, as they are.
struct ScreenPicture {
    private static let cellWidth = 9.0
    private static let cellHeight = 19.0
    private static let margin = 12.0
    let isLight: Bool

    func svg(_ screen: TerminalEmulator) -> String {
        let width = Double(screen.size.width) * Self.cellWidth + 2 * Self.margin
        let height = Double(screen.size.height) * Self.cellHeight + 2 * Self.margin
        let rows = (0..<screen.size.height).map { row($0, of: screen) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
            <rect width="100%" height="100%" rx="8" fill="\(background)"/>
            <g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" xml:space="preserve">
            \(rows.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    private func row(_ y: Int, of screen: TerminalEmulator) -> String {
        var parts: [String] = []
        var x = 0
        while x < screen.size.width {
            let style = screen[x, y].style
            var end = x
            while end < screen.size.width, screen[end, y].style == style { end += 1 }
            parts += run(x..<end, y, style, screen)
            x = end
        }
        return parts.joined()
    }

    /// A run of cells of one style: its background, and its characters, each at its own column.
    private func run(_ range: Range<Int>, _ y: Int, _ style: Style, _ screen: TerminalEmulator) -> [String] {
        let isInverse = style.attributes.contains(.inverse)
        let text = color(isInverse ? style.background : style.foreground, standard: isInverse ? background : foreground)
        let back = color(isInverse ? style.foreground : style.background, standard: isInverse ? foreground : background)
        let left = Self.margin + Double(range.lowerBound) * Self.cellWidth
        let top = Self.margin + Double(y) * Self.cellHeight
        var parts: [String] = []
        if back != background {
            let width = Double(range.count) * Self.cellWidth
            parts.append("<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(Self.cellHeight)\" fill=\"\(back)\"/>")
        }
        let opacity = style.attributes.contains(.dim) ? " opacity=\"0.6\"" : ""
        let weight = style.attributes.contains(.bold) ? " font-weight=\"bold\"" : ""
        let underline = style.attributes.contains(.underline) ? " text-decoration=\"underline\"" : ""
        for x in range where ![" ", ""].contains(screen[x, y].text) {
            let column = left + Double(x - range.lowerBound) * Self.cellWidth
            if let block = block(screen[x, y].text, column, top, fill: text) {
                parts.append(block)
                continue
            }
            let glyph = screen[x, y].text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            parts.append("<text x=\"\(column)\" y=\"\(top + 14.5)\" fill=\"\(text)\"\(opacity)\(weight)\(underline)>\(glyph)</text>")
        }
        return parts
    }

    /// Bars fill their part of the cell, whatever the font.
    private func block(_ text: String, _ x: Double, _ y: Double, fill: String) -> String? {
        guard let eighths = "▁▂▃▄▅▆▇█".firstIndex(of: Character(text)).map({ "▁▂▃▄▅▆▇█".distance(from: "▁▂▃▄▅▆▇█".startIndex, to: $0) + 1 })
        else { return nil }
        let height = Self.cellHeight * Double(eighths) / 8
        return "<rect x=\"\(x)\" y=\"\(y + Self.cellHeight - height)\" width=\"\(Self.cellWidth)\" height=\"\(height)\" fill=\"\(fill)\"/>"
    }

    private var foreground: String { isLight ? "#24292f" : "#d4d7dd" }
    private var background: String { isLight ? "#fdfdfc" : "#16181d" }

    private func color(_ color: Color, standard: String) -> String {
        switch color {
        case .standard: standard
        case .named(let index): Self.named[Int(index) % 16]
        case .palette(let index): Self.palette(Int(index))
        case .rgb(let red, let green, let blue): "rgb(\(red),\(green),\(blue))"
        }
    }

    private static func palette(_ index: Int) -> String {
        guard index > 15 else { return named[index] }
        guard index < 232 else { return "rgb(\(8 + (index - 232) * 10),\(8 + (index - 232) * 10),\(8 + (index - 232) * 10))" }
        let shade = { (step: Int) in step == 0 ? 0 : 55 + step * 40 }
        let cube = index - 16
        return "rgb(\(shade(cube / 36)),\(shade(cube / 6 % 6)),\(shade(cube % 6)))"
    }

    private static let named = [
        "#16181d", "#e5534b", "#57ab5a", "#d5a52e", "#539bf5", "#b083f0", "#39c5cf", "#d4d7dd", "#768390", "#ff938a", "#6bc46d", "#eac55f",
        "#6cb6ff", "#dcbdfb", "#56d4dd", "#ffffff",
    ]
}
