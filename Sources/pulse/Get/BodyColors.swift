/// Colors JSON text: names, strings, numbers and literals. Text that is no JSON keeps its characters, in any color.
struct JSONColors {
    private let palette: Palette

    init(_ palette: Palette) {
        self.palette = palette
    }

    /// Returns the text with colors. O(n).
    func colored(_ text: [UInt8]) -> [UInt8] {
        guard palette.isColored else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 2)
        var index = 0
        while index < text.count {
            let end = Self.endOfToken(in: text, from: index)
            append(text[index..<end], isName: Self.isName(text, end), to: &result)
            index = end
        }
        return result
    }

    private func append(_ token: ArraySlice<UInt8>, isName: Bool, to result: inout [UInt8]) {
        guard let role = role(of: token[token.startIndex], isName: isName) else { return result.append(contentsOf: token) }
        result.append(contentsOf: palette(role, String(decoding: token, as: UTF8.self)).utf8)
    }

    private func role(of first: UInt8, isName: Bool) -> Palette.Role? {
        switch first {
        case UInt8(ascii: "\""): isName ? .key : .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .literal
        default: nil
        }
    }

    /// Returns the end of the string, number or literal that begins there, or of the text between them.
    private static func endOfToken(in text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        switch text[start] {
        case UInt8(ascii: "\""):
            while index < text.count, text[index] != UInt8(ascii: "\""), text[index] != 0x0A {
                index += text[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(index + 1, text.count)
        case let byte where isScalar(byte):
            while index < text.count, isScalar(text[index]) { index += 1 }
        default:
            while index < text.count, text[index] != UInt8(ascii: "\""), !isScalar(text[index]) { index += 1 }
        }
        return index
    }

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Whether a colon follows.
    private static func isName(_ text: [UInt8], _ end: Int) -> Bool {
        var index = end
        while index < text.count, text[index] == 0x20 { index += 1 }
        return index < text.count && text[index] == UInt8(ascii: ":")
    }
}

/// Colors the lines of event streams and of JSON lines, each when it is complete.
struct LineColors {
    enum Kind {
        case events
        case json
    }

    private let kind: Kind
    private let palette: Palette
    private var held: [UInt8] = []

    init(_ kind: Kind, _ palette: Palette) {
        self.kind = kind
        self.palette = palette
    }

    /// Returns the lines that are now complete. A line that is too long is returned as it is.
    mutating func feed(_ text: [UInt8]) -> [UInt8] {
        guard palette.isColored else { return text }
        held += text
        guard let last = held.lastIndex(of: 0x0A) else { return held.count > Self.longestLine ? finish() : [] }
        let complete = held[...last]
        held = Array(held[(last + 1)...])
        var result: [UInt8] = []
        for line in complete.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() { result += colored(line) + [0x0A] }
        return result
    }

    /// Returns the rest of an incomplete line.
    mutating func finish() -> [UInt8] {
        defer { held = [] }
        return kind == .json && held.count <= Self.longestLine ? colored(held[...]) : held
    }

    private func colored(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard line.count <= Self.longestLine else { return Array(line) }
        return kind == .json ? JSONColors(palette).colored(Array(line)) : event(line)
    }

    /// Colors a comment, or a field with its name, whose data may be JSON.
    ///
    /// Source: [HTML, Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
    private func event(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return Array(line) }
        guard colon > line.startIndex else { return Array(palette(.dim, String(decoding: line, as: UTF8.self)).utf8) }
        let name = String(decoding: line[...colon], as: UTF8.self)
        let value = line[(colon + 1)...]
        let isJSON = value.first { $0 != 0x20 }.map { "{[".utf8.contains($0) } ?? false
        let shown = isJSON ? JSONColors(palette).colored(Array(value)) : Array(value)
        return Array(palette(.dim, name).utf8)
            + (name == "event:" ? Array(palette(.strong, String(decoding: value, as: UTF8.self)).utf8) : shown)
    }

    private static let longestLine = 65_536
}
