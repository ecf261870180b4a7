internal import Bytes

/// Returns whether a byte is allowed in a token, such as a method or a header's name.
///
/// Source: [RFC 9110, 5.6.2](https://www.rfc-editor.org/rfc/rfc9110#name-tokens).
package func isTokenByte(_ byte: UInt8) -> Bool {
    // One bit for each byte of ASCII: letters, digits and !#$%&'*+-.^_`|~
    let (low, high): (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    return byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
}

extension UInt8 {
    /// Whether the byte may stand in a field value: anything but control characters; a tab is allowed.
    package var isFieldValueByte: Bool { self >= .space && self != 127 || self == .tab }

    /// Whether the byte may stand in a request target, which has no fragment.
    var isTargetByte: Bool { self > .space && self < 127 && self != UInt8(ascii: "#") }
}

extension UnsafeRawBufferPointer {
    /// The bytes as text, which the caller has checked to be ASCII.
    var asciiText: String { String(decoding: self, as: UTF8.self) }
}
