import Foundation

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
