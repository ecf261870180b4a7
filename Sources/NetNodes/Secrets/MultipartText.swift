import Foundation

/// A multipart body split into its parts, as far as possible.
///
/// Source: [RFC 2046, 5.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
struct MultipartText {
    struct Part {
        /// The name of the field; empty if it has none.
        let name: String
        /// The lines between the boundary and the content.
        let head: Data
        let content: Data
    }

    private(set) var parts: [Part] = []
    private let delimiter: Data
    private let isClosed: Bool

    /// - Parameter contentType: the type with the boundary; without a boundary, the first line gives it.
    init?(_ data: Data, contentType: String) {
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
    func redacted(_ text: (Data) -> String) -> String {
        let mark = String(decoding: delimiter, as: UTF8.self)
        let all = parts.map { part in
            let content = SecretNames.contains(part.name) ? Redactor.mark : text(part.content)
            return mark + text(part.head) + content + "\r\n"
        }
        return all.joined() + (isClosed ? mark + "--\r\n" : "")
    }
}

extension MultipartText.Part {
    /// - Parameter bytes: the bytes between two delimiters.
    fileprivate init(_ bytes: Data) {
        let headEnd =
            bytes.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? bytes.range(of: Data("\n\n".utf8))?.upperBound ?? bytes.endIndex
        head = bytes[..<headEnd]
        var content = bytes[headEnd...]
        if content.last == 0x0A { content = content.dropLast() }
        if content.last == 0x0D { content = content.dropLast() }
        self.content = content
        name = Self.name(in: String(decoding: head, as: UTF8.self))
    }

    private static func name(in head: String) -> String {
        let unfolded = head.replacing("\r\n", with: "\n").replacing("\n ", with: " ").replacing("\n\t", with: " ")
        guard let line = unfolded.split(whereSeparator: \.isNewline).first(where: { $0.lowercased().hasPrefix("content-disposition:") })
        else {
            return ""
        }
        for parameter in line.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, ["name", "name*"].contains(pair[0].lowercased()) else { continue }
            let value = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            return value.removingPercentEncoding ?? value
        }
        return ""
    }
}
