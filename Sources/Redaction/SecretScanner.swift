internal import Bytes
import Foundation
internal import HTTPMessages

/// Finds secrets in text by the names that precede them, and replaces them by ``mark``.
///
/// One set of rules reads JSON, JSON lines, events, forms, headers, XML, property lists, YAML, TOML, PEM and text, well-formed or not.
/// Truncated text and invalid UTF-8 are read as far as possible. JSON and XML have rules for quotes, so their values end where they say.
/// In any other text a quote may begin a string, end one or mean nothing: there a value ends where the longest reading ends it. Under a
/// secret name, objects and arrays keep their structure and numbers become 0, so that the result can still be decoded. Text within the
/// text (JSON in a JSON string, a percent-encoded form) is scanned as well.
///
/// Complexity: O(n) in the bytes.
package struct SecretScanner {
    /// The maximum depth of text within text; anything deeper is treated as a secret.
    static let deepest = 4
    static let mark = Array("***".utf8)

    let input: [UInt8]
    var position = 0
    package var output: [UInt8] = []
    /// The redacted values without quotes and escapes.
    package var hidden: [[UInt8]] = []
    /// Whether anything was redacted.
    package var hasFound = false
    /// The secret names in the text.
    package var names: Set<[UInt8]> = []
    /// The line that was last searched, and its last closing brace.
    var knownLine = (start: 0, end: 0, lastBrace: 0)
    /// The place at which the value of the last secret name begins.
    var valueStart: Int?
    /// The place at which the last value ended without a closing quote or bracket, and whether it was empty.
    var openValue: (end: Int, isEmpty: Bool)?
    /// The end of the JSON that is being read, and the place before which no other JSON begins.
    var json = (end: 0, next: 0)
    /// The number of bytes that may still be read again for another meaning of their quotes.
    var patience: Int
    /// Whether a quote begins a string; otherwise strings are read like any other text.
    let readsStrings: Bool
    private var openBraces = 0
    let depth: Int

    package init(_ input: [UInt8]) {
        self.init(input, depth: 0)
    }

    init(_ input: [UInt8], depth: Int) {
        self.input = input
        self.depth = depth
        patience = 1024 + 8 * input.count
        readsStrings = true
    }

    /// Creates a scanner that reads the text of another from a place on, without strings.
    init(rereading other: SecretScanner, from start: Int) {
        input = other.input
        (position, depth, knownLine, openBraces) = (start, other.depth, other.knownLine, other.openBraces)
        patience = 0
        readsStrings = false
    }

    package mutating func run() {
        output.reserveCapacity(input.count)
        guard !scanMarkup() else { return }
        while let byte = peek() {
            let (start, count) = (position, hidden.count)
            step(byte)
            guard start >= json.end, position > start + 1 else { continue }
            if byte == UInt8(ascii: "\"") || byte != UInt8(ascii: "/") && hidden.count > count { settle(from: start) }
        }
    }

    /// Reads a string, a word, a tag or a character, with the value that follows it.
    mutating func step(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): scanString()
        // After a backslash a quote begins no string; any other character there is read.
        case UInt8(ascii: "\\"): copy(readsStrings && peek(1).map { "\"'\\".utf8.contains($0) } == true ? 2 : 1)
        case UInt8(ascii: "/"): scanAuthority()
        case UInt8(ascii: "<"): scanTag()
        case UInt8(ascii: "[") where !isInJSON && hideTable(): break
        case _ where byte.isWordByte: scanWord()
        default:
            if "{[".utf8.contains(byte), readsStrings { enterJSON() }
            if byte == UInt8(ascii: "{") { openBraces += 1 }
            if byte == UInt8(ascii: "}") { openBraces = max(0, openBraces - 1) }
            copy(1)
        }
    }

    func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < input.count ? input[position + offset] : nil
    }

    mutating func copy(_ count: Int) {
        let end = min(input.count, position + count)
        output += input[position..<end]
        position = end
    }

    /// Writes a replacement for the skipped value.
    mutating func hide(_ value: [UInt8], as replacement: [UInt8] = SecretScanner.mark) {
        hasFound = true
        hidden.append(value)
        output += replacement
    }

    mutating func recognize(_ name: some Collection<UInt8>) -> Bool {
        guard SecretNames.contains(String(decoding: name.suffix(128), as: UTF8.self)) else { return false }
        names.insert(Array(name))
        return true
    }

    /// Whether a brace is open; it may never be closed.
    var isInsideBraces: Bool { openBraces > 0 }
}

/// Strings and words.
extension SecretScanner {
    private mutating func scanString() {
        // After a letter or a digit a quote begins no string, as in 5" or in a text whose beginning was cut.
        guard position == 0 || !readsStrings || !input[position - 1].isAlphanumeric,
            let content = stringContent(from: position, longest: readsStrings ? .max : Self.longestName)
        else { return copy(1) }
        let end = content.upperBound + 1
        let separator = self.separator(from: end)
        guard readsStrings || separator != nil else { return copy(1) }
        position = end
        output.append(UInt8(ascii: "\""))
        output += rescan(content)
        output.append(UInt8(ascii: "\""))
        guard let separator else { return }
        copy(separator.end - position)
        if recognize(Self.unescaped(input[content])) {
            hideValue(after: separator.kind, ofName: content.lowerBound - 1, isQuotedName: true)
        } else if !readsStrings {
            position = content.lowerBound
        }
    }

    /// The length of the longest name in quotes that is looked for in a text without strings.
    private static let longestName = 256

    /// Returns the bytes between the quote at `start` and the closing one, on the same line or anywhere.
    func stringContent(from start: Int, acrossLines: Bool = false, longest: Int = .max) -> Range<Int>? {
        var index = start + 1
        let end = longest < input.count - index ? index + longest : input.count
        while index < end {
            switch input[index] {
            case input[start]: return (start + 1)..<index
            case UInt8(ascii: "\\"): index += 2
            case 0x0A where !acrossLines, 0x0D where !acrossLines: return nil
            default: index += 1
            }
        }
        return nil
    }

    private mutating func scanWord() {
        if peek() == UInt8(ascii: "-"), hidePEM() { return }
        let start = position
        while let byte = peek(), byte.isWordByte { position += 1 }
        let word = input[start..<position]
        if let separator = self.separator(from: position) {
            output += word
            copy(separator.end - position)
            if recognizeWord(word, at: start) {
                hideValue(after: separator.kind, ofName: start, isQuotedName: separator.hasClosers)
            }
            return
        }
        if word.containsWebToken { return hide(Array(word)) }
        if let scheme = word.bearerLength {
            output += word.prefix(scheme)
            position = start + scheme
            return hideCredentials()
        }
        output += readsStrings && word.contains(UInt8(ascii: "%")) ? rescanPercentEncoded(word) : Array(word)
        // `--token x`
        if word.starts(with: "--".utf8), word.count > 3, peek()?.isBlank == true, recognize(word) {
            copyBlanks()
            valueStart = position
            if peek() != UInt8(ascii: "-") { hideWord() }
        }
    }

    /// In an escape such as `\n` before a name, the letter does not belong to the name.
    private mutating func recognizeWord(_ word: ArraySlice<UInt8>, at start: Int) -> Bool {
        if recognize(Self.percentDecoded(word.suffix(128))) { return true }
        return start > 0 && input[start - 1] == UInt8(ascii: "\\") && recognize(word.dropFirst())
    }

    /// Redacts the credentials of `Bearer x`, anywhere. In a form the blank is `+` or `%20`; in a text with escapes it may be `\t`.
    private mutating func hideCredentials() {
        let start = position
        while let byte = peek() {
            if byte.isBlank || byte == UInt8(ascii: "+") {
                copy(1)
            } else if ["%20", "%09", "\\t", "\\n"].contains(where: { input[position...].starts(with: $0.utf8) }) {
                copy(byte == UInt8(ascii: "%") ? 3 : 2)
            } else {
                break
            }
        }
        valueStart = position
        if position > start { hideWord() }
    }

    /// Redacts a string, or the text up to the next blank.
    private mutating func hideWord() {
        if let byte = peek(), "\"'".utf8.contains(byte) { return hideString() }
        let start = position
        while let byte = peek(), byte > 0x20, !"\"\\&<".utf8.contains(byte) { position += 1 }
        if position > start { hide(Array(input[start..<position])) }
    }

    private mutating func copyBlanks() {
        while peek()?.isBlank == true { copy(1) }
    }
}

/// Texts within the text.
extension SecretScanner {
    private mutating func rescan(_ content: Range<Int>) -> [UInt8] {
        let raw = Array(input[content])
        guard readsStrings else { return raw }
        let text = Self.unescaped(raw[...])
        guard let clean = rescan(text) else { return raw }
        return Self.escaped(clean)
    }

    private mutating func rescanPercentEncoded(_ word: ArraySlice<UInt8>) -> [UInt8] {
        guard let clean = rescan(Self.percentDecoded(word)) else { return Array(word) }
        return Array(String(decoding: clean, as: UTF8.self).percentEncoded.replacing("%2A", with: "*").utf8)
    }

    /// Returns the redacted text; `nil` if it contains no secrets.
    mutating func rescan(_ text: [UInt8]) -> [UInt8]? {
        guard readsStrings, text.count > 3 else { return nil }
        guard depth < Self.deepest else {
            guard text.contains(where: { "\\%&<=:".utf8.contains($0) }) else { return nil }
            hasFound = true
            return Self.mark
        }
        var scanner = SecretScanner(text, depth: depth + 1)
        scanner.run()
        return adopt(scanner)
    }

    /// Adopts the secrets that the scanner of a text within this one found. Returns its output; `nil` if it found none.
    mutating func adopt(_ scanner: SecretScanner) -> [UInt8]? {
        hidden += scanner.hidden
        names.formUnion(scanner.names)
        guard scanner.hasFound else { return nil }
        hasFound = true
        return scanner.output
    }

    /// Redacts `//user:password@`, with the user.
    private mutating func scanAuthority() {
        copy(1)
        guard peek() == UInt8(ascii: "/") else { return }
        copy(1)
        var end = position
        while end < input.count, input[end] > 0x20, !"/?#\"'<>\\".utf8.contains(input[end]) { end += 1 }
        guard let at = input[position..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        let user = input[position..<at]
        if let colon = user.firstIndex(of: UInt8(ascii: ":")) { hide(Array(user[(colon + 1)...]), as: []) }
        hide(Array(user), as: [])
        position = at + 1
    }
}
