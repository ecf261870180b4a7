internal import Bytes

/// Values of several lines.
extension SecretScanner {
    /// Redacts the PEM block that begins here if its label is a secret name; with `isSecret`, redacts it in any case.
    ///
    /// Source: [RFC 7468](https://www.rfc-editor.org/rfc/rfc7468).
    mutating func hidePEM(isSecret isNamed: Bool = false) -> Bool {
        let begin = Array("-----BEGIN".utf8)
        guard input[position...].starts(with: begin) else { return false }
        let label = input[(position + begin.count)...].prefix(64).prefix { $0 != UInt8(ascii: "-") }
        guard isNamed || recognize(label) else { return false }
        let dashes = Array("-----".utf8)
        let end =
            input.firstRange(of: Array("-----END".utf8), from: label.endIndex)
            .flatMap { input.firstRange(of: dashes, from: $0 + dashes.count) }
            .map { $0 + dashes.count } ?? input.endIndex
        hide(Array(input[position..<end]))
        position = end
        return true
    }

    /// Returns the end of a value that begins in this line and continues in lines that are indented further than its name: a folded header
    /// or a block of YAML. Returns `nil` if no such line follows.
    ///
    /// - Parameter start: the position of the name.
    func blockEnd(ofName start: Int) -> Int? {
        guard let indentation = indentation(ofName: start) else { return nil }
        var end: Int?
        var lineEnd = self.lineEnd(from: position)
        let isEmpty = input[position..<lineEnd].allSatisfy(\.isBlank)
        while lineEnd < input.endIndex {
            let line = afterLineEnd(lineEnd)
            let first = input[line...].firstIndex { !$0.isBlank } ?? input.endIndex
            guard first < input.endIndex else { break }
            lineEnd = self.lineEnd(from: first)
            if first == lineEnd { continue }
            let isItem = isEmpty && first - line == indentation && input[first...].starts(with: "- ".utf8)
            guard first - line > indentation || isItem else { break }
            end = lineEnd
        }
        return end
    }

    /// Returns the column of a name at the beginning of a line; dashes of YAML's lists count as blanks.
    private func indentation(ofName start: Int) -> Int? {
        let column = start > 0 && input[start - 1] == UInt8(ascii: "'") ? start - 1 : start
        var index = column
        while index > 0, input[index - 1].isBlank || input[index - 1] == UInt8(ascii: "-") { index -= 1 }
        return index == 0 || input[index - 1].isLineEnd ? column - index : nil
    }

    func lineEnd(from start: Int) -> Int { input[start...].firstIndex(where: \.isLineEnd) ?? input.endIndex }

    private func afterLineEnd(_ end: Int) -> Int {
        let isPair = end + 1 < input.endIndex && input[end] == 0x0D && input[end + 1] == 0x0A
        return min(input.endIndex, end + (isPair ? 2 : 1))
    }
}

/// Tables of TOML, sections of INI.
extension SecretScanner {
    /// Redacts the values of the table whose header begins here, if its name is secret.
    ///
    /// Source: [TOML, 1.0](https://toml.io/en/v1.0.0#table).
    mutating func hideTable() -> Bool {
        guard let name = tableName(at: position), recognize(name) else { return false }
        copy(name.endIndex - position)
        let note = input[position..<lineEnd(from: position)]
        output += rescan(Array(note)) ?? Array(note)
        position = note.endIndex
        // A string or an array may be open: a text that looks like a name there is not one.
        var isOpen = false
        while position < input.endIndex {
            copy(afterLineEnd(position) - position)
            let start = input[position...].firstIndex { !$0.isBlank } ?? input.endIndex
            guard start < input.endIndex else { return true }
            if input[start] == UInt8(ascii: "["), let next = tableName(at: start),
                !isOpen || !next.contains(where: { "\"'".utf8.contains($0) })
            {
                return true
            }
            copy(start - position)
            let end = lineEnd(from: start)
            let name = input[start..<end].prefix { $0.isWordByte || $0.isBlank || "\"'".utf8.contains($0) }
            if !isOpen, name.endIndex < end, "=:".utf8.contains(input[name.endIndex]) {
                copy(name.count + 1)
                while peek()?.isBlank == true { copy(1) }
            }
            guard position < end else { continue }
            let value = Array(input[position..<end])
            isOpen = isOpen || ["\"\"\"", "'''", "[", "{"].contains { value.starts(with: $0.utf8) }
            hide(value, as: value.first == UInt8(ascii: "\"") ? [value[0]] + Self.mark + [value[0]] : Self.mark)
            position = end
        }
        return true
    }

    /// Returns the name of the table whose header begins here; `nil` if it is no header. A header has a line of its own, and a name
    /// follows.
    private func tableName(at start: Int) -> ArraySlice<UInt8>? {
        let isFirst = input[..<start].reversed().first { !$0.isBlank }.map(\.isLineEnd) ?? true
        guard isFirst else { return nil }
        let opening = input[start...].prefix(2).prefix { $0 == UInt8(ascii: "[") }
        let name = input[opening.endIndex...].prefix(256).prefix { $0.isWordByte || $0.isBlank || "\"':".utf8.contains($0) }
        let closing = input[name.endIndex...].prefix(opening.count)
        guard !name.isEmpty, closing.count == opening.count, closing.allSatisfy({ $0 == UInt8(ascii: "]") }) else { return nil }
        let rest = input[closing.endIndex...].prefix(256).first { !$0.isBlank }
        guard rest.map({ $0.isLineEnd || "#;".utf8.contains($0) }) ?? false else { return nil }
        return name
    }
}

/// XML.
extension SecretScanner {
    /// What begins and ends a text without tags.
    static let literals = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]

    /// Redacts `<Password>x</Password>`, and `<key>password</key><string>x</string>` of a property list.
    mutating func scanTag() {
        copy(1)
        guard let name = tagName(at: position), recognize(name.split(separator: UInt8(ascii: ":")).last ?? []) else { return }
        guard !scanPropertyName(name) else { return }
        copy(name.count)
        valueStart = position
        hideElement(name)
    }

    func tagName(at start: Int) -> ArraySlice<UInt8>? {
        let name = input[start...].prefix(while: \.isTagByte)
        return name.isEmpty ? nil : name
    }

    /// Redacts the text that follows the name of an element: its attributes and its content.
    private mutating func hideElement(_ name: ArraySlice<UInt8>) {
        let tagEnd = self.tagEnd(from: position)
        guard tagEnd < input.endIndex, input[tagEnd - 1] != UInt8(ascii: "/") else {
            hasFound = true
            position = tagEnd < input.endIndex ? tagEnd - 1 : tagEnd
            return
        }
        output.append(UInt8(ascii: ">"))
        let valueEnd = contentEnd(of: name, from: tagEnd + 1)
        hide(Array(input[(tagEnd + 1)..<valueEnd]))
        position = valueEnd
    }

    /// Returns the position of the bracket that ends a tag; brackets in quotes do not end it.
    func tagEnd(from start: Int) -> Int {
        var index = start
        while index < input.endIndex, input[index] != UInt8(ascii: ">") {
            let isQuote = "\"'".utf8.contains(input[index])
            index = (isQuote ? input[(index + 1)...].firstIndex(of: input[index]) : nil) ?? index
            index += 1
        }
        return min(index, input.endIndex)
    }

    /// Returns the position of the closing tag of an element, which may contain elements of its own name.
    func contentEnd(of name: ArraySlice<UInt8>, from start: Int) -> Int {
        var level = 1
        var index = start
        while let bracket = input[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = bracket + 1
            if let end = literalEnd(at: bracket) {
                index = end
                continue
            }
            let isClosing = index < input.endIndex && input[index] == UInt8(ascii: "/")
            let nameStart = bracket + (isClosing ? 2 : 1)
            guard nameStart <= input.endIndex, input[nameStart...].starts(with: name) else { continue }
            let after = nameStart + name.count
            if after < input.endIndex, input[after].isTagByte { continue }
            let tagEnd = self.tagEnd(from: after)
            index = tagEnd
            if !isClosing, tagEnd < input.endIndex, input[tagEnd - 1] == UInt8(ascii: "/") { continue }
            level += isClosing ? -1 : 1
            if level == 0 { return bracket }
        }
        return input.endIndex
    }

    /// Returns the end of a comment, an instruction or a section of literal text that begins here; it contains no tags.
    private func literalEnd(at start: Int) -> Int? {
        for (begin, end) in Self.literals where input[start...].starts(with: begin.utf8) {
            return input.firstRange(of: Array(end.utf8), from: start + begin.utf8.count).map { $0 + end.utf8.count } ?? input.endIndex
        }
        return nil
    }
}

/// Property lists.
extension SecretScanner {
    private static let propertyTypes = Set(["string", "data", "integer", "real", "true", "false", "date", "array", "dict"])

    /// Reads the beginning of a property's name, and redacts its value if the name is secret.
    ///
    /// - Returns: whether the element here is the name of a property, and not a secret itself.
    private mutating func scanPropertyName(_ tag: ArraySlice<UInt8>) -> Bool {
        guard tag.elementsEqual("key".utf8), input[tag.endIndex...].first == UInt8(ascii: ">") else { return false }
        let content = input[(tag.endIndex + 1)...].prefix { $0 != UInt8(ascii: "<") }
        guard input[content.endIndex...].starts(with: "</key>".utf8) else { return false }
        let next = afterBlanks(content.endIndex + 6)
        guard next < input.endIndex, input[next] == UInt8(ascii: "<"), let type = tagName(at: next + 1),
            Self.propertyTypes.contains(String(decoding: type, as: UTF8.self))
        else { return false }
        copy(tag.count + 1)
        guard recognize(Array(content).trimmingBlanks) else { return true }
        output += rescan(Array(content)) ?? Array(content)
        position = content.endIndex
        copy(type.endIndex - position)
        valueStart = position
        hideElement(type)
        return true
    }
}

extension UInt8 {
    var isTagByte: Bool { isWordByte || self == UInt8(ascii: ":") }
}
