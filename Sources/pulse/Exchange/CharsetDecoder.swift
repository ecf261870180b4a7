import Foundation
import NetNodes

/// Decodes text of a declared charset to UTF-8 while it is received.
///
/// Source: [iconv(3)](https://man7.org/linux/man-pages/man3/iconv.3.html).
final class CharsetDecoder: @unchecked Sendable {
    // Sound by law 2: one body uses it, one piece at a time.
    private let conversion: iconv_t
    /// The bytes of an incomplete character.
    private var held: [UInt8] = []

    /// - Parameter contentType: the `Content-Type` of a response.
    ///
    /// Returns `nil` if it declares no charset, or UTF-8, or one that the system does not know.
    init?(contentType: String?) {
        guard let charset = contentType.flatMap(Self.charset), !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset) else { return nil }
        let conversion = iconv_open("UTF-8", charset)
        guard let conversion, Int(bitPattern: conversion) != -1 else { return nil }
        self.conversion = conversion
    }

    deinit {
        iconv_close(conversion)
    }

    /// Returns the text of these bytes; an invalid sequence becomes `\u{FFFD}`.
    func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var input = held.map { CChar(bitPattern: $0) } + bytes.map { CChar(bitPattern: $0) }
        var result: [UInt8] = []
        var output = [CChar](repeating: 0, count: 16_384)
        var place = 0
        while place < input.count {
            var failure: Int32 = 0
            let (read, written) = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var from = input.baseAddress.map { $0 + place }
                    var to = output.baseAddress
                    var (left, room) = (input.count - place, output.count)
                    if iconv(conversion, &from, &left, &to, &room) == -1 { failure = errno }
                    return (input.count - place - left, output.count - room)
                }
            }
            result += output[..<written].map { UInt8(bitPattern: $0) }
            place += read
            if failure == EINVAL { break }
            guard failure == EILSEQ else { continue }
            result += Self.replacement
            place += 1
        }
        held = input[min(place, input.count)...].map { UInt8(bitPattern: $0) }
        return result
    }

    /// Returns the replacement of a character that is incomplete at the end.
    func finish() -> [UInt8] {
        defer { held = [] }
        return held.isEmpty ? [] : Self.replacement
    }

    /// Returns the charset of `text/html; charset="ISO-8859-1"`, in lower case; only names of harmless characters are accepted.
    private static func charset(of contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            let name = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"'")).lowercased()
            let isHarmless =
                !name.isEmpty && name.utf8.count <= 40
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
            return isHarmless ? name : nil
        }
        return nil
    }

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
}

extension HTTPResponse {
    /// The body as UTF-8, decoded from the charset that the response declares.
    var utf8Body: Data {
        guard let decoder = CharsetDecoder(contentType: headers["Content-Type"]) else { return body }
        return Data(decoder.feed(body) + decoder.finish())
    }
}
