import TerminalViews

/// Parses SGR codes back into a style.
enum StyleCodes {
    static func apply(_ codes: [Int], to style: Style) -> Style {
        var style = style
        var rest = codes[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: style = .plain
            case 1, 2, 3, 4, 7, 9: style = style.with(attributes[code] ?? [])
            case 30...37: style.foreground = .named(UInt8(code - 30))
            case 38: style.foreground = extended(&rest)
            case 39: style.foreground = .standard
            case 40...47: style.background = .named(UInt8(code - 40))
            case 48: style.background = extended(&rest)
            case 49: style.background = .standard
            case 90...97: style.foreground = .named(UInt8(code - 82))
            case 100...107: style.background = .named(UInt8(code - 92))
            default: break
            }
        }
        return style
    }

    private static func extended(_ rest: inout ArraySlice<Int>) -> Color {
        let numbers = rest.prefix(rest.first == 5 ? 2 : 4).map { UInt8(clamping: $0) }
        rest = rest.dropFirst(numbers.count)
        if numbers.count == 2 { return .palette(numbers[1]) }
        return numbers.count == 4 ? .rgb(numbers[1], numbers[2], numbers[3]) : .standard
    }

    private static let attributes: [Int: Style.Attributes] = [
        1: .bold, 2: .dim, 3: .italic, 4: .underline, 7: .inverse, 9: .strikethrough,
    ]
}
