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
