internal import Bytes
import Foundation

/// Strings of JSON.
extension SecretScanner {
    /// Returns the content of a string with its escapes resolved; invalid escapes are resolved as far as possible.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < bytes.endIndex else {
                result.append(byte)
                continue
            }
            let kind = bytes[index]
            index += 1
            if kind == UInt8(ascii: "u"), let unit = codeUnit(bytes[index...]) {
                index += 4
                var units = [unit]
                if UTF16.isLeadSurrogate(unit), bytes[index...].starts(with: "\\u".utf8), let trail = codeUnit(bytes[(index + 2)...]) {
                    units.append(trail)
                    index += 6
                }
                result += String(decoding: units, as: UTF16.self).utf8
            } else {
                result.append(controls[kind] ?? kind)
            }
        }
        return result
    }

    /// Returns the bytes with their percent escapes resolved; an escape that is invalid, or cut, stays.
    static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let digits = bytes[(index + 1)...].prefix(2)
            if bytes[index] == UInt8(ascii: "%"), digits.count == 2, let byte: UInt8 = digits.hexadecimalNumber() {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    ]

    /// Returns the number of four hexadecimal digits.
    private static func codeUnit(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        let digits = bytes.prefix(4)
        return digits.count == 4 ? digits.hexadecimalNumber() : nil
    }

    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case ..<0x20: Array("\\u00\(byte.hexadecimal)".utf8)
            default: [byte]
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte may be part of a name.
    var isWordByte: Bool { isAlphanumeric || self >= 0x80 || "_-.%$+~".utf8.contains(self) }
    /// Whether the byte may stand in base64 for URLs.
    private var isBase64: Bool { isAlphanumeric || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }

    fileprivate static func isWebTokenByte(_ byte: UInt8) -> Bool { byte.isBase64 }
}

extension ArraySlice<UInt8> {
    /// The length of the word `Bearer`, if this begins with it and credentials may follow.
    var bearerLength: Int? {
        let scheme = "bearer"
        guard count == scheme.utf8.count || dropFirst(scheme.utf8.count).first.map({ "+%".utf8.contains($0) }) == true,
            String(decoding: prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
        else { return nil }
        return scheme.utf8.count
    }

    /// Whether a part of it has the form `header.payload.signature` of a JSON Web Token.
    ///
    /// Source: [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
    var containsWebToken: Bool {
        guard count(where: { $0 == UInt8(ascii: ".") }) >= 2 else { return false }
        let parts = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.dropLast(2).contains { part in
            part.split { !UInt8.isWebTokenByte($0) }.last?.beginsObject == true
        }
    }

    /// Whether the object of a header begins in this base64: an opening brace, then a quote or a blank.
    private var beginsObject: Bool {
        guard let data = Data(base64Encoded: Data(prefix(4))), data.first == UInt8(ascii: "{") else { return false }
        return [0x22, 0x20, 0x09, 0x0A, 0x0D].contains(data[1])
    }
}

extension Collection<UInt8> {
    /// Whether it resembles a number: anything after the first digit is irrelevant for a secret.
    var isNumber: Bool {
        allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    }
}

extension [UInt8] {
    /// Returns the first range of `bytes` at or after `start`.
    func firstRange(of bytes: [UInt8], from start: Int) -> Int? {
        guard let first = bytes.first, start < count else { return nil }
        var index = start
        while let next = self[index...].firstIndex(of: first) {
            if self[next...].starts(with: bytes) { return next }
            index = next + 1
        }
        return nil
    }
}
