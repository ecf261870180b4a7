import Foundation

/// Measures text in terminal columns and removes control characters from it.
///
/// The unit is the extended grapheme cluster, Swift's `Character`: user-perceived characters are never split.
public enum TerminalText {
    /// Returns the number of columns of the text on one line. O(n).
    public static func width(of text: String) -> Int {
        if text.isPrintableASCII { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns the number of columns of one character: 0 (invisible), 1, or 2 (East Asian wide, emoji, flags, letters with a spacing mark).
    /// It is more only where prepended marks such as U+0600 precede the letter, one column each.
    public static func width(of character: Character) -> Int {
        // The scalars are iterated: a hostile character has millions of them, and comparing characters takes quadratic time.
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 {
            return first.isControl ? TerminalText.visible(character).unicodeScalars.first?.columns ?? 0 : first.columns
        }
        if first == "\r" { return 1 }
        if first.isPrepended { return character.cells.reduce(0) { $0 + width(of: $1) } }
        if isFlag(scalars) || selects(scalars, emojiSelector) { return 2 }
        if first.properties.isEmojiPresentation, selects(scalars, textSelector) { return 1 }
        return min(2, scalars.reduce(0) { $0 + $1.columns })
    }

    /// Whether the selector follows a character with both emoji and text presentation.
    private static func selects(_ scalars: Character.UnicodeScalarView, _ selector: Unicode.Scalar) -> Bool {
        zip(scalars, scalars.dropFirst()).contains { $0.properties.isEmoji && $1 == selector }
    }

    /// Returns the text without control characters: each becomes its Unicode picture (`␛`), a line break or tab becomes a space, and a
    /// directional formatting character becomes `\u{FFFD}`.
    public static func sanitized(_ text: String) -> String {
        if text.isPrintableASCII { return text }
        return String(text.flatMap(\.cells).map(visible))
    }

    /// Returns the text like ``sanitized(_:)``, but keeps line feeds and tabs: for text that is written line by line. See
    /// ``TerminalText/LineSanitizer`` for incremental text.
    public static func sanitizedLines(_ text: String) -> String {
        var sanitizer = LineSanitizer()
        return String(decoding: sanitizer.feed(Array(text.utf8)) + sanitizer.finish(), as: UTF8.self)
    }

    /// Returns the text truncated to a number of columns, with an ellipsis if it was truncated. O(n).
    public static func clipped(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard width(of: text) > columns else { return text }
        var used = 0
        let kept = text.prefix { character in
            used += width(of: character)
            return used <= columns - 1
        }
        return kept + "…"
    }

    /// Returns the text truncated or padded with spaces to exactly a number of columns.
    public static func padded(_ text: String, to columns: Int, alignment: StyledText.Alignment = .leading) -> String {
        let clipped = clipped(text, to: columns)
        let missing = max(0, columns - width(of: clipped))
        let before = alignment.offset(of: missing)
        return String(repeating: " ", count: before) + clipped + String(repeating: " ", count: missing - before)
    }

    /// Returns the text with at most fifteen combining marks for each letter, so that it can be compared and hashed in linear time. O(n).
    static func limitingMarks(_ text: String) -> String {
        var run = 0
        let scalars = text.unicodeScalars
        let isKept = { (scalar: Unicode.Scalar) -> Bool in
            run = scalar.value >= 0x300 && scalar.properties.isGraphemeExtend ? run + 1 : 0
            return run < longestCluster
        }
        guard text.utf8.count > longestCluster, !text.isPrintableASCII, !scalars.allSatisfy(isKept) else { return text }
        run = 0
        return String(String.UnicodeScalarView(scalars.filter(isKept)))
    }

    /// Returns a printable replacement of the character.
    static func visible(_ character: Character) -> Character {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, first.value >= 0x7F || first.value < 0x20 || scalars.count > 1 else { return character }
        if scalars.count == 1 { return visible(first) }
        if first == "\r" { return " " }
        guard scalars.count > longestCluster || scalars.contains(where: { $0.isControl || isDirectional($0) }) else { return character }
        let safe = scalars.lazy.filter { !$0.isControl && !isDirectional($0) }.prefix(longestCluster)
        return String(String.UnicodeScalarView(safe)).first ?? replacement
    }

    static func visible(_ scalar: Unicode.Scalar) -> Character {
        switch scalar.value {
        case 0x09...0x0D, 0x2028, 0x2029: " "
        case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value).map(Character.init) ?? replacement
        case 0x7F: "\u{2421}"
        case 0x80...0x9F: replacement
        default: isDirectional(scalar) ? replacement : Character(scalar)
        }
    }

    /// Characters that reorder their neighbors could disguise the content of a line.
    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
        scalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
    }

    private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
    private static let textSelector: Unicode.Scalar = "\u{FE0E}"
    private static let replacement: Character = "\u{FFFD}"
    /// The maximum number of scalars of a cluster. The longest emoji in use have ten; a cell must not grow with the combining marks on a
    /// letter.
    private static let longestCluster = 16
}

extension String {
    var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}

extension Character {
    /// Whether the character is a space. The bytes are compared, because comparing characters takes quadratic time in the marks of a
    /// hostile one.
    var isBlank: Bool { utf8.first == 0x20 && utf8.count == 1 }

    /// The character split into the parts that have cells of their own: each prepended mark, and the rest.
    var cells: [Character] {
        let scalars = unicodeScalars
        guard let first = scalars.first, first.isPrepended else { return [self] }
        let signs = scalars.prefix(while: \.isPrepended)
        let rest = String(String.UnicodeScalarView(scalars.dropFirst(signs.count)))
        return signs.map(Character.init) + rest
    }
}

extension StyledText {
    /// The alignment of text in a wider space.
    public enum Alignment: Sendable, Hashable {
        /// At the left.
        case leading
        /// In the middle.
        case center
        /// At the right.
        case trailing

        func offset(of free: Int) -> Int {
            switch self {
            case .leading: 0
            case .center: free / 2
            case .trailing: free
            }
        }
    }
}

extension TerminalText {
    /// Returns the text in ASCII. Each character is replaced by one of the same width: lines by `-`, `|` and `+`, bars by `_.:-=+*#`,
    /// letters with accents by the letter, and everything else by `?`. O(n).
    public static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.reduce(into: "") { $0 += ascii($1) }
    }

    /// Returns whether the locale's encoding is UTF-8, by `LC_ALL`, `LC_CTYPE` or `LANG`, the first of them that is set.
    ///
    /// If none is set, as in many containers, UTF-8 is assumed: terminals show it there too. `LANG=C` asks for ASCII.
    public static func isUnicode(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Whether a terminal draws braille: in a locale with UTF-8, and not on the consoles of Linux and the BSDs, whose fonts have 512 characters
    /// at most.
    static func hasBraille(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM", default: ""]
        return isUnicode(environment) && !["linux", "vt", "cons", "wsvt"].contains { terminal.hasPrefix($0) }
    }

    static func ascii(_ character: Character) -> String {
        if character.utf8.allSatisfy({ $0 < 0x80 }) { return String(character) }
        guard let first = character.unicodeScalars.first else { return "" }
        if character.unicodeScalars.count == 1, let replacement = replacements[character] { return String(replacement) }
        let width = width(of: character)
        let letter = String(Character(first)).decomposedStringWithCanonicalMapping.unicodeScalars.first
        if width == 1, let letter, letter.isASCII { return String(letter) }
        return String(repeating: "?", count: width)
    }

    private static let replacements: [Character: Character] = {
        let pairs: [(String, String)] = [
            ("─━═┄", "----"), ("│┃║┊▐▏", "||||||"), ("┌┐└┘├┤┬┴┼╭╮╰╯", "+++++++++++++"), ("▁▂▃▄▅▆▇█", "_.:-=+*#"), ("░▒▓", ".:%"),
            ("▎▍▌▋▊▉", ".:-=+*"), ("…●○◌▼▲▶◀×·•", "~*ooV^><x.*"), ("↑↓←→⏸", "^v<>="), ("‘’“”–—", "''\"\"--"),
            ("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\|/-\\|/"),
            ("✓✗", "+x"), ("µ", "u"), ("\u{A0}", " "),
        ]
        return Dictionary(pairs.flatMap { zip($0, $1) }) { first, _ in first }
    }()
}
