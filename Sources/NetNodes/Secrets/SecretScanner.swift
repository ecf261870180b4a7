import Foundation

/// Finds secrets in text by the names that precede them, and replaces them by ``Redactor/mark``.
///
/// One set of rules reads JSON, JSON lines, events, forms, headers, XML, YAML, PEM and text, well-formed or not: truncated text and invalid
/// UTF-8 are read as far as possible. Under a secret name objects and arrays keep their structure and numbers become 0, so that the result
/// can still be decoded. Text within the text (JSON in a JSON string, a percent-encoded form) is scanned as well.
///
/// Complexity: O(n) in the bytes.
struct SecretScanner {
    /// The maximum depth of text within text; anything deeper is treated as a secret.
    private static let deepest = 4
    static let mark = Array(Redactor.mark.utf8)

    let input: [UInt8]
    var position = 0
    var output: [UInt8] = []
    /// The redacted values without quotes and escapes.
    var hidden: [[UInt8]] = []
    /// Whether anything was redacted.
    var hasFound = false
    /// The secret names in the text.
    var names: Set<[UInt8]> = []
    private var openBraces = 0
    private let depth: Int

    init(_ input: [UInt8], depth: Int = 0) {
        self.input = input
        self.depth = depth
    }

    mutating func run() {
        output.reserveCapacity(input.count)
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""): scanString()
            case UInt8(ascii: "\\"): copy(2)
            case UInt8(ascii: "/"): scanAuthority()
            case UInt8(ascii: "<"): scanTag()
            case _ where byte.isWordByte: scanWord()
            default:
                if byte == UInt8(ascii: "{") { openBraces += 1 }
                if byte == UInt8(ascii: "}") { openBraces = max(0, openBraces - 1) }
                copy(1)
            }
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

    mutating func isSecret(_ name: some Collection<UInt8>) -> Bool {
        guard SecretNames.contains(String(decoding: name.suffix(128), as: UTF8.self)) else { return false }
        names.insert(Array(name))
        return true
    }

    // Strings and words

    private mutating func scanString() {
        guard let content = stringContent(from: position) else { return copy(1) }
        let end = content.upperBound + 1
        guard let separator = self.separator(from: end) else {
            position = end
            output.append(UInt8(ascii: "\""))
            output += rescanned(content)
            output.append(UInt8(ascii: "\""))
            return
        }
        let name = Self.unescaped(input[content])
        copy(separator.end - position)
        if isSecret(name) { hideValue(after: separator.kind, ofName: content.lowerBound - 1, isQuotedName: true) }
    }

    /// Returns the bytes between the quote at `start` and the closing one, on the same line or anywhere.
    func stringContent(from start: Int, acrossLines: Bool = false) -> Range<Int>? {
        var index = start + 1
        while index < input.count {
            switch input[index] {
            case input[start]: return (start + 1)..<index
            case UInt8(ascii: "\\"): index += 2
            case 0x0A,
                0x0D where !acrossLines:
                return nil
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
            let name = String(decoding: word.suffix(128), as: UTF8.self)
            if isSecret(Array((name.removingPercentEncoding ?? name).utf8)) {
                hideValue(after: separator.kind, ofName: start, isQuotedName: separator.hasClosers)
            }
            return
        }
        if word.isWebToken { return hide(Array(word)) }
        output += word.contains(UInt8(ascii: "%")) ? percentRescanned(word) : Array(word)
        if word.count == 6, String(decoding: word, as: UTF8.self).lowercased() == "bearer" { hideCredentials() }
    }

    /// `Bearer x`, anywhere.
    private mutating func hideCredentials() {
        guard peek() == 0x20 else { return }
        while peek() == 0x20 { copy(1) }
        let start = position
        while let byte = peek(), byte > 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        if position > start { hide(Array(input[start..<position])) }
    }

    // Texts within the text

    private mutating func rescanned(_ content: Range<Int>) -> [UInt8] {
        let raw = Array(input[content])
        let text = Self.unescaped(raw[...])
        guard let clean = rescanned(text) else { return raw }
        return Self.escaped(clean)
    }

    private mutating func percentRescanned(_ word: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: word, as: UTF8.self)
        guard let plain = text.removingPercentEncoding, let clean = rescanned(Array(plain.utf8)) else { return Array(word) }
        return Array(String(decoding: clean, as: UTF8.self).percentEncoded.replacing("%2A", with: "*").utf8)
    }

    /// Returns the redacted text, `nil` if it contains no secrets.
    private mutating func rescanned(_ text: [UInt8]) -> [UInt8]? {
        guard text.count > 3 else { return nil }
        guard depth < Self.deepest else {
            guard text.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }) else { return nil }
            hasFound = true
            return Self.mark
        }
        var scanner = SecretScanner(text, depth: depth + 1)
        scanner.run()
        hidden += scanner.hidden
        names.formUnion(scanner.names)
        guard scanner.hasFound else { return nil }
        hasFound = true
        return scanner.output
    }

    // Structure

    /// `//user:password@`: the user is redacted too.
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

    /// Inside braces a value is terminated by a comma.
    var isInsideBraces: Bool { openBraces > 0 }
}
