extension FixedWidthInteger where Self: UnsignedInteger {
    /// Two hexadecimal digits for each byte of the number, in lower case.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension [UInt8] {
    /// Appends the percent escape of a byte.
    package mutating func append(escape byte: UInt8) {
        let digits = StaticString("0123456789ABCDEF")
        append(UInt8(ascii: "%"))
        append(digits.utf8Start[Int(byte >> 4)])
        append(digits.utf8Start[Int(byte & 15)])
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
