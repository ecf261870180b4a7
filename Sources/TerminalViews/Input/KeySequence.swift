/// Maps control sequences to keys.
enum KeySequence {
    /// Returns the key of one byte below the space, or of DEL.
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x7F, 0x08: .backspace
        case 0x00: .control(" ")
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        default: .control(Character(Unicode.Scalar(byte + 0x40)))
        }
    }

    /// Returns the key of `ESC O` and one byte.
    static func shift3(_ byte: UInt8) -> Key? {
        if byte == UInt8(ascii: "M") { return .enter }
        return named(byte).map { Key($0) } ?? rxvtArrow(byte).map { Key($0, .control) }
    }

    /// Returns the key of `ESC [ [` and one byte.
    static func console(_ byte: UInt8) -> Key? {
        guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) else { return nil }
        return .function(Int(byte - UInt8(ascii: "A")) + 1)
    }

    /// Returns the key of `ESC [`, parameters, and a last byte.
    static func control(_ parameters: [UInt8], final: UInt8) -> Key? {
        if parameters.first == UInt8(ascii: "<") {
            return numbers(Array(parameters.dropFirst())).flatMap { Mouse(parameters: $0, final: final) }.map {
                Key(.mouse($0), $0.modifiers)
            }
        }
        guard let numbers = numbers(parameters), numbers.count <= 3 else { return nil }
        let first = numbers.first ?? 1
        let modifiers = numbers.count > 1 ? Key.Modifiers(rawValue: max(0, numbers[1] - 1) & 7) : []
        switch final {
        case UInt8(ascii: "~"): return tilde[first].map { Key($0, modifiers) }
        case UInt8(ascii: "Z"): return Key(.tab, .shift)
        case UInt8(ascii: "u"): return unicode(first, modifiers)
        default:
            if isNumber(parameters), let modifiers = rxvtModifiers[final] { return tilde[first].map { Key($0, modifiers) } }
            if numbers.isEmpty, let arrow = rxvtArrow(final) { return Key(arrow, .shift) }
            guard first == 1 || numbers.count < 2 else { return nil }
            return named(final).map { Key($0, modifiers) }
        }
    }

    /// Whether the parameters are one number.
    static func isNumber(_ parameters: [UInt8]) -> Bool {
        !parameters.isEmpty && parameters.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }

    /// Returns the arrow key of rxvt, which has small letters for arrows with Shift, after `ESC [`, and with Control, after `ESC O`, and
    /// signs in place of `~`.
    ///
    /// Source: [urxvt(7), key codes](https://linux.die.net/man/7/urxvt).
    private static func rxvtArrow(_ final: UInt8) -> Key.Code? {
        (UInt8(ascii: "a")...UInt8(ascii: "d")).contains(final) ? named(final - 0x20) : nil
    }

    private static let rxvtModifiers: [UInt8: Key.Modifiers] = [
        UInt8(ascii: "$"): .shift, UInt8(ascii: "^"): .control, UInt8(ascii: "@"): [.control, .shift],
    ]

    private static func named(_ final: UInt8) -> Key.Code? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final - UInt8(ascii: "P")) + 1)
        default: nil
        }
    }

    /// Parses numbers between semicolons; an empty number is 1. Returns `nil` for anything else.
    private static func numbers(_ bytes: [UInt8]) -> [Int]? {
        guard !bytes.isEmpty else { return [] }
        var numbers: [Int] = []
        for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            guard part.count < 8 else { return nil }
            var number = 0
            for byte in part {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            numbers.append(part.isEmpty ? 1 : number)
        }
        return numbers
    }

    /// Returns the key of a code point, as newer terminals encode keys that older codes cannot distinguish.
    private static func unicode(_ value: Int, _ modifiers: Key.Modifiers) -> Key? {
        guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { return nil }
        guard scalar.isControl else { return Key(.character(Character(scalar)), modifiers) }
        guard scalar != "\u{1B}" else { return Key(.escape, modifiers) }
        return value < 0x80 ? Key(control(UInt8(value)).code, modifiers) : nil
    }

    private static let tilde: [Int: Key.Code] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1), 12: .function(2),
        13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9),
        21: .function(10), 23: .function(11), 24: .function(12),
    ]
}
