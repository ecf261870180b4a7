internal import Bytes
import Foundation

extension HTTPHeaders {
    /// The first field that must not be written: its name is not a token, or its name or value could end the line.
    var firstUnwritable: Field? {
        first { field in
            field.name.isEmpty || !field.name.utf8.allSatisfy(isTokenByte) || !field.value.utf8.allSatisfy(\.isFieldValueByte)
        }
    }
}

/// Percent-decoding of a request target.
enum PercentCoding {
    /// Returns the segments of a path, or `nil` if the encoding is malformed. A trailing slash yields a trailing empty segment.
    static func segments(of path: Substring) -> [String]? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let decoded = segments.compactMap { decode($0) }
        return decoded.count == segments.count ? decoded : nil
    }

    /// Returns the items of a query. An item with malformed encoding is kept as sent.
    static func queryItems(of query: Substring) -> [URLQueryItem] {
        query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return URLQueryItem(name: form(parts[0]), value: parts.count == 2 ? form(parts[1]) : nil)
        }
    }

    /// Returns the decoded text, or `nil` if the encoding is malformed or the bytes are not UTF-8.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func form(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return decode(spaced[...]) ?? String(text)
    }
}
