/// A key press, pasted text, or a mouse event.
public struct Key: Hashable, Sendable, CustomStringConvertible {
    /// The key, without its modifiers.
    public enum Code: Hashable, Sendable {
        /// A key that types a character.
        case character(Character)
        /// A key that ends a line, moves on, deletes or leaves.
        case enter, tab, backspace, escape
        /// An arrow key.
        case up, down, left, right
        /// A key that moves to an end, or by a page.
        case home, end, pageUp, pageDown
        /// A key that inserts or deletes at the cursor.
        case insert, delete
        /// A function key; F1 is 1.
        case function(Int)
        /// Pasted text as received, including line breaks and control characters; at most 64 KB.
        case paste(String)
        /// A click or a turn of the wheel.
        case mouse(Mouse)
    }

    /// The keys that were held.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Shift.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt, or Option.
        public static let alt = Modifiers(rawValue: 2)
        /// Control.
        public static let control = Modifiers(rawValue: 4)
        /// Super: the Windows key, or Command.
        public static let `super` = Modifiers(rawValue: 8)
        /// Hyper, on keyboards that have it.
        public static let hyper = Modifiers(rawValue: 16)
        /// Meta, where it is another key than Alt.
        public static let meta = Modifiers(rawValue: 32)
    }

    /// The key.
    public let code: Code
    /// The keys that were held with it.
    public let modifiers: Modifiers

    /// Creates a key press.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// Enter.
    public static let enter = Key(.enter)
    /// Tab.
    public static let tab = Key(.tab)
    /// Backspace.
    public static let backspace = Key(.backspace)
    /// Escape.
    public static let escape = Key(.escape)
    /// Arrow up.
    public static let up = Key(.up)
    /// Arrow down.
    public static let down = Key(.down)
    /// Arrow left.
    public static let left = Key(.left)
    /// Arrow right.
    public static let right = Key(.right)
    /// Home.
    public static let home = Key(.home)
    /// End.
    public static let end = Key(.end)
    /// Page up.
    public static let pageUp = Key(.pageUp)
    /// Page down.
    public static let pageDown = Key(.pageDown)
    /// Delete.
    public static let delete = Key(.delete)

    /// The key that types this character.
    public static func character(_ character: Character) -> Key { Key(.character(character)) }
    /// A letter with Control.
    public static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
    /// A character with Alt.
    public static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
    /// A function key; F1 is 1.
    public static func function(_ number: Int) -> Key { Key(.function(number)) }
    /// Pasted text.
    public static func paste(_ text: String) -> Key { Key(.paste(text)) }
    /// A click or a turn of the wheel.
    public static func mouse(_ action: Key.MouseAction, at position: Point) -> Key { Key(.mouse(Mouse(action, at: position))) }

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
        let prefix = [
            (Modifiers.control, "ctrl-"), (.alt, "alt-"), (.super, "super-"), (.hyper, "hyper-"), (.meta, "meta-"), (.shift, "shift-"),
        ]
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
