/// The classes of the bytes of ASCII.
extension UInt8 {
    package static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20

    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
    @inlinable package var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }

    /// Whether the byte is unreserved, so that it means itself in each part of a URL: also `-`, `.`, `_` and `~` are.
    ///
    /// Source: [RFC 3986, 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
    @inlinable package var isUnreserved: Bool { isAlphanumeric || self == 0x2D || self == 0x2E || self == 0x5F || self == 0x7E }

    /// The byte of the small letter, if this is a capital one.
    @inlinable package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// The value of a hexadecimal digit.
    @inlinable package var hexadecimalValue: Int? {
        if isDigit { return Int(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? Int(letter) + 10 : nil
    }
}

extension String {
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        // Most names differ in length, which is cheap to compare.
        guard utf8.count == other.utf8.count else { return false }
        let isEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { bytes[$0] == others[$0] || bytes[$0].asciiLowercased == others[$0].asciiLowercased }
            }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}
