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
