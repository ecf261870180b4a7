internal import Bytes

/// Documents of XML and HTML.
///
/// Text, comments, instructions and values of attributes are texts of their own: a quote in one of them means nothing in another, and a
/// backslash is no escape.
///
/// Source: [XML 1.0](https://www.w3.org/TR/xml/), [HTML](https://html.spec.whatwg.org/multipage/syntax.html).
extension SecretScanner {
    /// Reads the whole text, if it is a document: it is well-formed, or it begins like a document of XML or HTML.
    mutating func scanMarkup() -> Bool {
        let start = input.prefix(256).drop { $0.isBlank || $0.isLineEnd || "\u{FEFF}".utf8.contains($0) }
        guard start.first == UInt8(ascii: "<") else { return false }
        let beginning = String(decoding: start.prefix(9), as: UTF8.self).lowercased()
        var elements = OpenElements(isStrict: !["<?xml", "<!doctype", "<html"].contains(where: beginning.hasPrefix))
        var reader = self
        while reader.position < input.count, !elements.isRefused { reader.readMarkup(&elements) }
        guard !elements.isRefused, !elements.isStrict || elements.innermost == nil else { return false }
        self = reader
        return true
    }

    private mutating func readMarkup(_ elements: inout OpenElements) {
        if peek() != UInt8(ascii: "<") {
            readText(elements.innermost, &elements)
        } else if let (begin, end) = Self.sections.first(where: { input[position...].starts(with: $0.0.utf8) }) {
            readSection(begin, end, &elements)
        } else if peek(1) == UInt8(ascii: "/") {
            readEndTag(&elements)
        } else if let name = tagName(at: position + 1), name.first?.isDigit == false {
            readTag(name, &elements)
        } else {
            elements.isBroken = true
            copy(1)
        }
    }

    private static let sections = literals + [("<!", ">")]

    /// Reads a comment, an instruction, a declaration or a section of literal text.
    private mutating func readSection(_ begin: String, _ end: String, _ elements: inout OpenElements) {
        copy(begin.utf8.count)
        let close = input.firstRange(of: Array(end.utf8), from: position)
        if close == nil { elements.isBroken = true }
        readPart(to: close ?? input.endIndex, isLiteral: true)
        copy(end.utf8.count)
    }

    /// Reads the text before the next tag. A value that is not closed there goes on in the next elements, up to the end of the element
    /// around it.
    private mutating func readText(_ name: ArraySlice<UInt8>?, _ elements: inout OpenElements) {
        let end = input[position...].firstIndex(of: UInt8(ascii: "<")) ?? input.endIndex
        guard let value = readPart(to: end, isLiteral: false) else { return }
        if value.isEmpty {
            // `<b>Password:</b> x`
            while position < input.endIndex, peek(1) == UInt8(ascii: "/") {
                readEndTag(&elements)
                copy(afterBlanks(position) - position)
            }
        } else if peek(1) == UInt8(ascii: "/") {
            return
        }
        let valueEnd = elements.innermost.map { contentEnd(of: $0, from: position) } ?? input.endIndex
        guard valueEnd > position else { return }
        hide(Array(input[position..<valueEnd]))
        position = valueEnd
    }

    private mutating func readEndTag(_ elements: inout OpenElements) {
        let name = tagName(at: position + 2) ?? []
        elements.close(name)
        let end = tagEnd(from: position + 2 + name.count)
        if end == input.endIndex || afterBlanks(position + 2 + name.count) != end { elements.isBroken = true }
        copy(end + 1 - position)
    }

    private mutating func readTag(_ name: ArraySlice<UInt8>, _ elements: inout OpenElements) {
        let isHidden = hasFound
        hasFound = false
        scanTag()
        let isSecret = hasFound
        hasFound = hasFound || isHidden
        guard !isSecret else { return readSecretEnd(name, &elements) }
        // The name of a property begins.
        guard position == name.startIndex else { return elements.open(name) }
        copy(name.count)
        while let byte = peek(), byte != UInt8(ascii: ">") { readAttribute(&elements) }
        let isEmpty = input[position - 1] == UInt8(ascii: "/")
        if peek() == nil { elements.isBroken = true }
        copy(1)
        guard !isEmpty else { return }
        elements.open(name)
        if !elements.isStrict, let tag = OpenElements.literalEndTag(name) { readPart(to: tagStart(tag), isLiteral: true) }
    }

    /// Reads what is left of an element whose content was redacted: the end of an empty tag, or nothing before the tag that ends it.
    private mutating func readSecretEnd(_ name: ArraySlice<UInt8>, _ elements: inout OpenElements) {
        if peek() == UInt8(ascii: "/") { return copy(2) }
        elements.open(peek() == nil ? name : tagName(at: position + 2) ?? name)
    }

    /// Returns the place of the tag that ends the literal text of a script or the like.
    private func tagStart(_ tag: [UInt8]) -> Int {
        var index = position
        while let bracket = input[index...].firstIndex(of: UInt8(ascii: "<")) {
            if input[bracket...].prefix(tag.count).elementsEqual(tag, by: { $0 | 0x20 == $1 | 0x20 }) { return bracket }
            index = bracket + 1
        }
        return input.endIndex
    }

    /// Reads an attribute, or a character that belongs to none.
    private mutating func readAttribute(_ elements: inout OpenElements) {
        copy(afterBlanks(position) - position)
        let name = input[position...].prefix { $0 > 0x20 && !"=>/\"'<".utf8.contains($0) }
        guard !name.isEmpty else {
            guard let byte = peek(), byte != UInt8(ascii: ">") else { return }
            if byte != UInt8(ascii: "/") || peek(1) != UInt8(ascii: ">") { elements.isBroken = true }
            return copy(1)
        }
        let equals = afterBlanks(name.endIndex)
        guard equals < input.endIndex, input[equals] == UInt8(ascii: "=") else {
            elements.isBroken = true
            return copy(name.count)
        }
        copy(afterBlanks(equals + 1) - position)
        let quote = peek().flatMap { "\"'".utf8.contains($0) ? $0 : nil }
        let start = position + (quote == nil ? 0 : 1)
        let end = input[start...].firstIndex { quote == nil ? $0 <= 0x20 || $0 == UInt8(ascii: ">") : $0 == quote } ?? input.endIndex
        if quote == nil || end == input.endIndex || input[start..<end].contains(UInt8(ascii: "<")) { elements.isBroken = true }
        copy(start - position)
        if recognize(name) || recognize(name.split(separator: UInt8(ascii: ":")).last ?? []) {
            position = end
            hide(Self.entitiesDecoded(input[start..<end]))
        } else {
            readPart(to: end, isLiteral: false, isAttribute: true)
        }
        if quote != nil { copy(1) }
    }

    /// Reads a text that ends before `end`, whatever is in it.
    ///
    /// - Returns: whether a value is not closed in the text, and whether it is empty.
    @discardableResult
    private mutating func readPart(to end: Int, isLiteral: Bool, isAttribute: Bool = false) -> (end: Int, isEmpty: Bool)? {
        let raw = input[position..<end]
        position = end
        let text = isLiteral ? Array(raw) : Self.entitiesDecoded(raw)
        // Only a text that is shorter than this one, or contains no tags, is read at the same depth.
        let isDeeper = text.contains(UInt8(ascii: "<")) || text.count < raw.count
        guard depth < Self.deepest || !isDeeper else {
            hide(text)
            return nil
        }
        var scanner = SecretScanner(text, depth: depth + (isDeeper ? 1 : 0))
        scanner.run()
        let clean = adopt(scanner)
        output += clean.map { isLiteral ? $0 : Self.entitiesEncoded($0, withQuotes: isAttribute) } ?? Array(raw)
        return scanner.unclosedValue
    }

    /// The value of the last secret name, if it goes on behind the text.
    private var unclosedValue: (end: Int, isEmpty: Bool)? {
        guard let openValue else { return nil }
        let rest = input[openValue.end...]
        return rest.isEmpty || openValue.isEmpty && rest.allSatisfy { $0.isBlank || $0.isLineEnd } ? openValue : nil
    }
}
