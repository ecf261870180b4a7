/// Values of several lines.
extension SecretScanner {
    /// Redacts the PEM block that begins here if its label is a secret name, or in any case with `isSecret`.
    ///
    /// Source: [RFC 7468](https://www.rfc-editor.org/rfc/rfc7468).
    mutating func hidePEM(isSecret isNamed: Bool = false) -> Bool {
        let begin = Array("-----BEGIN".utf8)
        guard input[position...].starts(with: begin) else { return false }
        let label = input[(position + begin.count)...].prefix(64).prefix { $0 != UInt8(ascii: "-") }
        guard isNamed || isSecret(label) else { return false }
        let dashes = Array("-----".utf8)
        let end =
            input.firstRange(of: Array("-----END".utf8), from: label.endIndex)
            .flatMap { input.firstRange(of: dashes, from: $0 + dashes.count) }
            .map { $0 + dashes.count } ?? input.endIndex
        hide(Array(input[position..<end]))
        position = end
        return true
    }

    /// Returns the end of a value that begins in this line and continues in the lines that are indented further than its name: a folded
    /// header or a block of YAML. `nil` if no such line follows.
    ///
    /// - Parameter start: where the name begins.
    func blockEnd(ofName start: Int) -> Int? {
        guard let indentation = indentation(ofName: start) else { return nil }
        var end: Int?
        var lineEnd = input[position...].firstIndex(where: \.isLineEnd) ?? input.endIndex
        let isEmpty = input[position..<lineEnd].allSatisfy(\.isBlank)
        while lineEnd < input.endIndex {
            let isPair = input[lineEnd] == 0x0D && lineEnd + 1 < input.endIndex && input[lineEnd + 1] == 0x0A
            let line = lineEnd + (isPair ? 2 : 1)
            let first = input[line...].firstIndex { !$0.isBlank } ?? input.endIndex
            guard first < input.endIndex else { break }
            lineEnd = input[first...].firstIndex(where: \.isLineEnd) ?? input.endIndex
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
}

/// XML.
extension SecretScanner {
    /// `<Password>x</Password>`
    mutating func scanTag() {
        copy(1)
        let start = position
        var end = start
        while end < input.count, input[end].isTagByte { end += 1 }
        let name = input[start..<end]
        guard !name.isEmpty, isSecret(name.split(separator: UInt8(ascii: ":")).last ?? []) else { return }
        copy(end - start)
        let tagEnd = input[end...].firstIndex(of: UInt8(ascii: ">")) ?? input.endIndex
        guard tagEnd < input.endIndex, input[tagEnd - 1] != UInt8(ascii: "/") else {
            hasFound = true
            position = tagEnd
            return
        }
        output.append(UInt8(ascii: ">"))
        let valueEnd = contentEnd(of: name, from: tagEnd + 1)
        hide(Array(input[(tagEnd + 1)..<valueEnd]))
        position = valueEnd
    }

    /// Returns the position of the closing tag of an element, which may contain elements of its own name.
    private func contentEnd(of name: ArraySlice<UInt8>, from start: Int) -> Int {
        var level = 1
        var index = start
        while let bracket = input[index...].firstIndex(of: UInt8(ascii: "<")) {
            let isClosing = bracket + 1 < input.endIndex && input[bracket + 1] == UInt8(ascii: "/")
            let nameStart = bracket + (isClosing ? 2 : 1)
            index = bracket + 1
            guard nameStart <= input.endIndex, input[nameStart...].starts(with: name) else { continue }
            let after = nameStart + name.count
            if after < input.endIndex, input[after].isTagByte { continue }
            let tagEnd = input[after...].firstIndex(of: UInt8(ascii: ">")) ?? input.endIndex
            index = tagEnd
            if !isClosing, tagEnd < input.endIndex, input[tagEnd - 1] == UInt8(ascii: "/") { continue }
            level += isClosing ? -1 : 1
            if level == 0 { return bracket }
        }
        return input.endIndex
    }
}

extension UInt8 {
    fileprivate var isTagByte: Bool { isWordByte || self == UInt8(ascii: ":") }
}
