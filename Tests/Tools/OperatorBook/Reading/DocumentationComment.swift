import Foundation

/// A documentation comment in its parts.
struct DocumentationComment {
    /// The first paragraph.
    private(set) var summary = ""
    /// The lines of the example.
    private(set) var example: [String] = []
    /// The paragraphs behind the summary, without the example and the source.
    private(set) var discussion: [String] = []
    /// Where the operator is from, as a link.
    private(set) var source: String?

    init(_ lines: [String]) {
        var paragraphs: [String] = []
        var paragraph: [String] = []
        var isCode = false
        for line in lines {
            let text = line.hasPrefix(" ") ? String(line.dropFirst()) : line
            if text.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                example.append(text)
            } else if text.isEmpty {
                paragraphs.append(paragraph.joined(separator: " "))
                paragraph = []
            } else {
                if text.hasPrefix("- ") || text.hasPrefix("|") {
                    paragraphs.append(paragraph.joined(separator: " "))
                    paragraph = []
                }
                paragraph.append(text.trimmingCharacters(in: .whitespaces))
            }
        }
        paragraphs.append(paragraph.joined(separator: " "))
        paragraphs.removeAll(where: \.isEmpty)
        guard !paragraphs.isEmpty else { return }
        summary = paragraphs.removeFirst()
        source = Self.takeSource(&summary)
        for var text in paragraphs {
            source = Self.takeSource(&text) ?? source
            if !text.isEmpty { discussion.append(text) }
        }
    }

    /// The name of a stream that the example writes before a line of its marble diagram. Nil if it does not show that line.
    func label(of marbles: String) -> String? {
        for line in example where line.hasPrefix("// ") {
            let text = line.dropFirst(3)
            let words = text.split(separator: " ")
            if words.first.map(String.init) == marbles { return "" }
            if words.count > 1, String(words[1]) == marbles { return String(words[0]) }
        }
        return nil
    }

    private static func takeSource(_ text: inout String) -> String? {
        guard let range = text.range(of: "Source: ") else { return nil }
        let source = String(text[range.upperBound...])
        text = text[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
        return source.hasSuffix(".") ? String(source.dropLast()) : source
    }
}
