import Foundation
internal import HTTPMessages

/// A multipart body split into its parts, as far as possible.
///
/// Source: [RFC 2046, 5.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
package struct MultipartText {
    struct Part {
        /// The names that the field may have. A file's name may contain what looks like a parameter, in a notation that is in doubt.
        let names: [String]
        /// The lines between the boundary and the content.
        let head: Data
        let content: Data
    }

    private(set) var parts: [Part] = []
    private let delimiter: Data
    private let isClosed: Bool

    /// - Parameter contentType: the type with the boundary; without a boundary, the first line gives it.
    package init?(_ data: Data, contentType: String) {
        guard let delimiter = Self.delimiter(of: data, contentType) else { return nil }
        self.delimiter = delimiter
        var ranges: [Range<Data.Index>] = []
        var start = data.startIndex
        while let range = data.range(of: delimiter, in: start..<data.endIndex) {
            if range.lowerBound == data.startIndex || data[range.lowerBound - 1] == 0x0A { ranges.append(range) }
            start = range.upperBound
        }
        guard !ranges.isEmpty else { return nil }
        isClosed = ranges.last.map { data[$0.upperBound...].starts(with: "--".utf8) } ?? false
        let end = isClosed ? ranges.removeLast().lowerBound : data.endIndex
        let ends = ranges.dropFirst().map(\.lowerBound) + [end]
        parts = zip(ranges, ends).map { Part(data[$0.upperBound..<$1]) }
    }

    private static func delimiter(of data: Data, _ contentType: String) -> Data? {
        if contentType.lowercased().hasPrefix("multipart/"), let range = contentType.range(of: "boundary=", options: .caseInsensitive) {
            let boundary = contentType[range.upperBound...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
            let delimiter = Data("--\(boundary)".utf8)
            if !boundary.isEmpty, data.range(of: delimiter) != nil { return delimiter }
        }
        let line = data.prefix(200).prefix { $0 != 0x0D && $0 != 0x0A }
        guard line.count > 2, line.count < 200, line.starts(with: "--".utf8) else { return nil }
        let rest = data[line.endIndex...].prefix(1_000)
        guard String(decoding: rest, as: UTF8.self).lowercased().contains("content-disposition") else { return nil }
        return Data(line)
    }

    /// Returns the body as text, with each content transformed by `text`, and with `Redactor.mark` for contents with secret names.
    package func redacted(_ text: (Data) -> String) -> String {
        let mark = String(decoding: delimiter, as: UTF8.self)
        let all = parts.map { part in
            let content = part.isSecret ? Redactor.mark : text(part.content)
            return mark + text(part.head) + content + "\r\n"
        }
        return all.joined() + (isClosed ? mark + "--\r\n" : "")
    }
}

extension MultipartText.Part {
    var isSecret: Bool { names.contains(where: SecretNames.contains) }

    /// - Parameter bytes: the bytes between two delimiters.
    fileprivate init(_ bytes: Data) {
        let headEnd =
            bytes.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? bytes.range(of: Data("\n\n".utf8))?.upperBound ?? bytes.endIndex
        head = bytes[..<headEnd]
        var content = bytes[headEnd...]
        if content.last == 0x0A { content = content.dropLast() }
        if content.last == 0x0D { content = content.dropLast() }
        self.content = content
        names = Self.names(in: String(decoding: head, as: UTF8.self))
    }

    /// Returns each text that could be the value of a parameter `name`, whether a semicolon, a quote or an unescaped quote ends it.
    private static func names(in head: String) -> [String] {
        let unfolded = head.replacing("\r\n", with: "\n").replacing("\n ", with: " ").replacing("\n\t", with: " ")
        let lines = unfolded.split(whereSeparator: \.isNewline).filter { $0.lowercased().hasPrefix("content-disposition:") }
        return lines.map { Array($0.utf8) }.flatMap { line in
            line.indices.dropFirst().flatMap { place -> [String] in
                guard !isTokenByte(line[place - 1]), line[place...].prefix(4).elementsEqual("name".utf8, by: { $0 | 0x20 == $1 }) else {
                    return []
                }
                let equals = line[(place + 4)...].drop { "*0123456789 \t".utf8.contains($0) }
                guard equals.first == UInt8(ascii: "=") else { return [] }
                let value = equals.dropFirst().prefix(256).drop { " \t\"".utf8.contains($0) }
                let quote = value.indices.first { value[$0] == UInt8(ascii: "\"") && value[$0 - 1] != UInt8(ascii: "\\") } ?? value.endIndex
                return [value.prefix { $0 != UInt8(ascii: ";") }, value.prefix { $0 != UInt8(ascii: "\"") }, value[..<quote]].map {
                    let name = String(decoding: $0, as: UTF8.self)
                    return name.removingPercentEncoding ?? name
                }
            }
        }
    }
}
