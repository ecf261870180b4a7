import WebSocketFrames

extension UInt8 {
    static let carriageReturn: UInt8 = 13
    static let lineFeed: UInt8 = 10
    static let space: UInt8 = 32
    static let tab: UInt8 = 9

    /// A byte that is allowed in a field value: anything but control characters; a tab is allowed.
    var isFieldValueCharacter: Bool { self == .tab || (self >= .space && self != 127) }

    /// A byte that is allowed in a request target.
    var isTargetCharacter: Bool { self > .space && self < 127 }

    /// The value of a hexadecimal digit.
    var hexadecimalValue: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}

extension HTTPHeaders {
    /// The first field that must not be written: its name is not a token, or its name or value could end the line.
    var firstUnwritable: Field? {
        first { field in
            field.name.isEmpty || !field.name.utf8.allSatisfy(isTokenByte) || !field.value.utf8.allSatisfy(\.isFieldValueCharacter)
        }
    }
}

extension Collection<UInt8> where SubSequence: Collection<UInt8> {
    /// The bytes without spaces and tabs at either end.
    var trimmingBlanks: ArraySlice<UInt8> {
        let bytes = Array(self)
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank }) else { return [] }
        return bytes[first...last]
    }
}
