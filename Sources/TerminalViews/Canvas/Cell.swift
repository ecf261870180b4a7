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
