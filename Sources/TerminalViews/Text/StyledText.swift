/// Text with styled parts, such as a bold label before a plain value.
///
/// A string literal is plain text; `+` joins texts.
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A stretch of text in one style.
    public struct Span: Hashable, Sendable {
        /// The text.
        public let text: String
        /// Its style.
        public let style: Style
    }

    /// The parts, in order.
    public private(set) var spans: [Span]

    /// Creates text in one style. At most fifteen combining marks are kept for each letter.
    public init(_ text: String, _ style: Style = .plain) {
        spans = text.isEmpty ? [] : [Span(text: TerminalText.limitingMarks(text), style: style)]
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The text without its styles.
    public var string: String { spans.map(\.text).joined() }

    /// The number of columns on one line.
    public var width: Int { spans.reduce(0) { $0 + TerminalText.width(of: $1.text) } }

    /// Joins two texts.
    public static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum.spans += right.spans
        return sum
    }

    /// Appends a text.
    public static func += (left: inout StyledText, right: StyledText) {
        left.spans += right.spans
    }

    /// The lines of the text, split at its line feeds.
    public var lines: [StyledText] {
        var lines = [StyledText("")]
        for span in spans {
            let parts = span.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (index, part) in parts.enumerated() {
                if index > 0 { lines.append(StyledText("")) }
                lines[lines.count - 1] += StyledText(String(part), span.style)
            }
        }
        return lines
    }

    /// Returns the text truncated to a number of columns, with an ellipsis in the style of the removed part.
    public func clipped(to columns: Int) -> StyledText {
        guard width > columns else { return self }
        var result = StyledText("")
        var left = columns
        for span in spans {
            let width = TerminalText.width(of: span.text)
            // A span that ends exactly at the edge is truncated too: the ellipsis needs a column.
            guard width >= left else {
                result += StyledText(span.text, span.style)
                left -= width
                continue
            }
            let cut = width == left ? TerminalText.clipped(span.text + "…", to: left) : TerminalText.clipped(span.text, to: left)
            return result + StyledText(cut, span.style)
        }
        return result
    }
}

extension StyledText {
    /// Returns the one line of this text as lines of at most `columns`, broken at spaces where there are any. O(n).
    public func wrapped(to columns: Int) -> [StyledText] {
        guard columns > 0, width > columns else { return [self] }
        var lines: [StyledText] = []
        var line: [(character: Character, style: Style)] = []
        var used = 0
        for (character, style) in spans.flatMap({ span in span.text.map { ($0, span.style) } }) {
            let width = TerminalText.width(of: character)
            if used + width > columns {
                let (kept, rest) = Self.broken(line, before: character)
                lines.append(StyledText(kept))
                line = rest
                used = rest.reduce(0) { $0 + TerminalText.width(of: $1.character) }
                if character.isBlank, line.isEmpty { continue }
            }
            line.append((character, style))
            used += width
        }
        if !line.isEmpty { lines.append(StyledText(line)) }
        return lines
    }

    /// Splits a full line after its last space; a line without one stays whole.
    private static func broken(
        _ line: [(character: Character, style: Style)], before next: Character
    ) -> (kept: [(character: Character, style: Style)], rest: [(character: Character, style: Style)]) {
        guard !next.isBlank, let space = line.lastIndex(where: { $0.character.isBlank }), space > 0 else { return (line, []) }
        return (Array(line[..<space]), Array(line[(space + 1)...]))
    }

    private init(_ characters: [(character: Character, style: Style)]) {
        self.init("")
        var rest = characters[...]
        while let style = rest.first?.style {
            let run = rest.prefix { $0.style == style }
            self += StyledText(String(run.map(\.character)), style)
            rest = rest.dropFirst(run.count)
        }
    }
}
