extension StyledText {
    /// The place at which text that does not fit is cut.
    public enum Truncation: Hashable, Sendable {
        /// The end is cut: `https://exam…`.
        case tail
        /// The middle is cut, and both ends stay: `https…/health`.
        case middle
    }
}

extension TerminalText {
    /// Returns the text truncated to a number of columns, with its middle replaced by an ellipsis.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - columns: the available columns.
    ///   - head: the number of columns kept of its beginning; half of them by default. O(n).
    public static func clippedInMiddle(_ text: String, to columns: Int, keeping head: Int? = nil) -> String {
        StyledText(text).clippedInMiddle(to: columns, keeping: head).string
    }
}

extension StyledText {
    /// Returns the text truncated to a number of columns, with its middle replaced by an ellipsis.
    ///
    /// - Parameters:
    ///   - columns: the available columns.
    ///   - head: the number of columns kept of its beginning; half of them by default.
    public func clippedInMiddle(to columns: Int, keeping head: Int? = nil) -> StyledText {
        guard width > columns else { return self }
        guard columns > 1 else { return clipped(to: columns) }
        let head = min(max(head ?? (columns - 1) / 2, 0), columns - 1)
        let beginning = prefix(head)
        let end = suffix(columns - 1 - head)
        return beginning + StyledText("…", beginning.spans.last?.style ?? end.spans.first?.style ?? .plain) + end
    }

    /// Returns the characters at the beginning that fit in this number of columns.
    private func prefix(_ columns: Int) -> StyledText {
        kept(columns, of: spans) { text, left in text.prefix { Self.take($0, from: &left) } }
    }

    /// Returns the characters at the end that fit in this number of columns.
    private func suffix(_ columns: Int) -> StyledText {
        let reversed = kept(columns, of: spans.reversed()) { text, left in
            Substring(String(text.reversed().prefix { Self.take($0, from: &left) }.reversed()))
        }
        return reversed.spans.reversed().reduce("") { $0 + StyledText($1.text, $1.style) }
    }

    private static func take(_ character: Character, from left: inout Int) -> Bool {
        left -= TerminalText.width(of: character)
        return left >= 0
    }

    private func kept(_ columns: Int, of spans: [Span], _ cut: (String, inout Int) -> Substring) -> StyledText {
        var left = columns
        var result = StyledText("")
        for span in spans where left > 0 {
            result += StyledText(String(cut(span.text, &left)), span.style)
        }
        return result
    }
}

extension StyledText.Truncation {
    /// Returns the number of columns that texts keep of their beginnings, so that different texts still differ when they are cut to
    /// `columns`.
    ///
    /// The result is half of the columns if that is enough, otherwise the nearest number that is; if none is, half. O(texts x columns) at
    /// worst.
    static func head(keepingApart texts: [StyledText], in columns: Int) -> Int {
        let middle = max(0, columns - 1) / 2
        let distinct = Set(texts.map { TerminalText.sanitized($0.string) })
        let keepsApart = { (head: Int) in
            Set(distinct.map { TerminalText.clippedInMiddle($0, to: columns, keeping: head) }).count == distinct.count
        }
        let candidates = (0...max(0, columns - 1)).sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
        return candidates.first(where: keepsApart) ?? middle
    }
}
