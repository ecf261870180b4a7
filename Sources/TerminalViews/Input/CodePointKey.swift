/// Maps the code points of `ESC [ ... u`, with which newer terminals encode keys that older codes cannot distinguish, to keys.
///
/// A key without a character has a code point of the private use area. Such a key is never a character: what is unknown is no key.
///
/// Source: [kitty, functional key definitions](https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions).
enum CodePointKey {
    /// Returns the key of a code point; `nil` for media keys, modifiers, locks, and whatever is no key of a ``Key/Code``.
    static func key(_ value: Int, _ modifiers: Key.Modifiers) -> Key? {
        guard !privateUse.contains(value) else { return functional(value).map { Key($0, modifiers) } }
        guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { return nil }
        guard scalar.isControl else { return modifiers == .shift ? shifted(scalar) : Key(.character(Character(scalar)), modifiers) }
        guard scalar != "\u{1B}" else { return Key(.escape, modifiers) }
        return value < 0x80 ? Key(KeySequence.control(UInt8(value)).code, modifiers) : nil
    }

    /// A letter with Shift is the capital letter, as in older codes. Which sign another key has is the keyboard's secret.
    private static func shifted(_ scalar: Unicode.Scalar) -> Key {
        let capital = scalar.properties.uppercaseMapping
        return capital.count == 1 && scalar.properties.isCased
            ? .character(Character(capital)) : Key(.character(Character(scalar)), .shift)
    }

    private static func functional(_ value: Int) -> Key.Code? {
        switch value {
        case functionKeys: .function(value - functionKeys.lowerBound + 13)
        case keypad: keypadCodes[value - keypad.lowerBound]
        default: nil
        }
    }

    private static let privateUse = 0xE000...0xF8FF
    /// F13 to F35.
    private static let functionKeys = 57_376...57_398
    /// The keypad, without the 5 that types no character.
    private static let keypad = 57_399...57_426
    private static let keypadCodes: [Key.Code] =
        "0123456789./*-+".map { .character($0) } + [.enter, .character("="), .character(",")] + [
            .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
        ]
}
