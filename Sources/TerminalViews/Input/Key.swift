/// A key press, pasted text, or a mouse event.
public struct Key: Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case character(Character)
        case enter, tab, backspace, escape
        case up, down, left, right
        case home, end, pageUp, pageDown
        case insert, delete
        /// F1 is 1.
        case function(Int)
        /// Pasted text as received, including line breaks and control characters; see ``KeyParser/longestPaste``.
        case paste(String)
        /// A click or a turn of the wheel.
        case mouse(Mouse)
    }

    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let shift = Modifiers(rawValue: 1)
        public static let alt = Modifiers(rawValue: 2)
        public static let control = Modifiers(rawValue: 4)
    }

    public let code: Code
    public let modifiers: Modifiers

    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    public static let enter = Key(.enter)
    public static let tab = Key(.tab)
    public static let backspace = Key(.backspace)
    public static let escape = Key(.escape)
    public static let up = Key(.up)
    public static let down = Key(.down)
    public static let left = Key(.left)
    public static let right = Key(.right)
    public static let home = Key(.home)
    public static let end = Key(.end)
    public static let pageUp = Key(.pageUp)
    public static let pageDown = Key(.pageDown)
    public static let delete = Key(.delete)

    public static func character(_ character: Character) -> Key { Key(.character(character)) }
    public static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
    public static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
    public static func function(_ number: Int) -> Key { Key(.function(number)) }
    public static func paste(_ text: String) -> Key { Key(.paste(text)) }
    public static func mouse(_ action: Mouse.Action, at position: Point) -> Key { Key(.mouse(Mouse(action, at: position))) }

    /// The pasted text; `nil` for a key.
    public var pasted: String? {
        if case .paste(let text) = code { text } else { nil }
    }

    /// The mouse event; `nil` for a key.
    public var mouse: Mouse? {
        if case .mouse(let mouse) = code { mouse } else { nil }
    }

    /// The character that this key types; `nil` for a key that types none.
    public var typed: Character? {
        guard case .character(let character) = code, modifiers.isEmpty else { return nil }
        return character
    }

    public var description: String {
        let prefix = [(Modifiers.control, "ctrl-"), (.alt, "alt-"), (.shift, "shift-")]
            .filter { modifiers.contains($0.0) }
            .map(\.1)
            .joined()
        return prefix + name
    }

    private var name: String {
        switch code {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .function(let number): "f\(number)"
        case .paste: "paste"
        case .mouse: "mouse"
        default: "\(code)"
        }
    }
}
