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
            let numbers = fields(Array(parameters.dropFirst()))?.map { $0[0] }
            return numbers.flatMap { Key.Mouse(parameters: $0, final: final) }.map { Key(.mouse($0), $0.modifiers) }
        }
        guard let fields = fields(parameters), fields.count <= 3, !isRelease(fields) else { return nil }
        let numbers = fields.map { $0[0] }
        let first = numbers.first ?? 1
        let modifiers = numbers.count > 1 ? Key.Modifiers(parameter: numbers[1]) : []
        switch final {
        case UInt8(ascii: "~") where first == 27 && numbers.count == 3: return CodePointKey.key(numbers[2], modifiers)
        case UInt8(ascii: "~"): return tilde[first].map { Key($0, modifiers) }
        case UInt8(ascii: "Z"): return Key(.tab, .shift)
        // Without a code point it restores the cursor.
        case UInt8(ascii: "u") where !isNumber(Array(parameters.prefix(1))): return nil
        case UInt8(ascii: "u"): return CodePointKey.key(first, modifiers)
        default:
            if isNumber(parameters), let modifiers = rxvtModifiers[final] { return tilde[first].map { Key($0, modifiers) } }
            if numbers.isEmpty, let arrow = rxvtArrow(final) { return Key(arrow, .shift) }
            guard first == 1 || numbers.count < 2 else { return nil }
            return named(final).map { Key($0, modifiers) }
        }
    }

    /// Whether a terminal reports that a key was released, after the modifiers and a colon. Only the press is a key.
    private static func isRelease(_ fields: [[Int]]) -> Bool {
        fields.count > 1 && fields[1].count > 1 && fields[1][1] == 3
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

    /// Parses fields between semicolons, each of numbers between colons; an empty number is 1. Returns `nil` for anything else.
    private static func fields(_ bytes: [UInt8]) -> [[Int]]? {
        guard !bytes.isEmpty else { return [] }
        let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(number)
        }
        let known = fields.map { $0.compactMap(\.self) }
        return zip(fields, known).allSatisfy { $0.count == $1.count } ? known : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count < 8 else { return nil }
        guard !digits.isEmpty else { return 1 }
        return digits.reduce(0) { number, byte in
            guard let number, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            return number * 10 + Int(byte - UInt8(ascii: "0"))
        }
    }

    private static let tilde: [Int: Key.Code] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1), 12: .function(2),
        13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9),
        21: .function(10), 23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14),
        28: .function(15), 29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
    ]
}

extension Key.Modifiers {
    /// The modifiers of a sequence: 1, and a bit for each. The bits of the locks are none.
    ///
    /// Source: [kitty, modifiers](https://sw.kovidgoyal.net/kitty/keyboard-protocol/#modifiers).
    fileprivate init(parameter: Int) {
        self.init(rawValue: max(0, parameter - 1))
        formIntersection([.shift, .alt, .control, .super, .hyper, .meta])
    }
}
