extension FixedWidthInteger where Self: UnsignedInteger {
    /// Two hexadecimal digits for each byte of the number, in lower case.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension [UInt8] {
    /// Appends the percent escape of a byte.
    @usableFromInline
    package mutating func append(escape byte: UInt8) {
        let digits = StaticString("0123456789ABCDEF")
        append(UInt8(ascii: "%"))
        append(digits.utf8Start[Int(byte >> 4)])
        append(digits.utf8Start[Int(byte & 15)])
    }
}

extension Sequence<UInt8> {
    /// Returns the bytes as text, with the percent escape of each one that is not kept.
    @inlinable
    package func escaped(keeping isKept: (UInt8) -> Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(underestimatedCount)
        for byte in self { if isKept(byte) { text.append(byte) } else { text.append(escape: byte) } }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// The number that these hexadecimal digits are; `nil` if they are none, or more than `bytes` has place for.
    package func hexadecimalNumber<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number? {
        guard (1...(Number.bitWidth / 4)).contains(count) else { return nil }
        var number: Number = 0
        for byte in self {
            guard let value = byte.hexadecimalValue else { return nil }
            number = number << 4 | Number(value)
        }
        return number
    }
}
