import Foundation
import NetNodes
import TerminalViews

/// What becomes of a body on its way to standard output: JSON of moderate size is laid out for reading, anything else is printed as it comes,
/// made safe where a terminal reads it. It holds ``JSONOutline/largestBody`` bytes at most.
struct BodyFormat: Sendable {
    private let isTerminal: Bool
    /// Nil when the body is known to be no JSON, or too much of it.
    private var outline: JSONOutline? = JSONOutline()
    /// What may be JSON.
    private var collected = Data()
    private var sanitizer = LineSanitizer()
    private var last = UInt8(ascii: "\n")
    private var received = 0
    private var printed = 0

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// What is to be printed now that these bytes came.
    mutating func feed(_ bytes: Data) -> [UInt8] {
        guard outline != nil else { return pass(bytes) }
        outline?.feed(bytes)
        collected.append(bytes)
        return outline?.isPossible == true ? [] : passCollected()
    }

    /// What is to be printed at the end.
    mutating func finish(isWhole: Bool) -> [UInt8] {
        if isWhole, outline != nil, let json = try? JSON(parsing: collected) { return safe(json.text(.pretty) + "\n") }
        let rest = passCollected()
        return isTerminal ? rest + sanitizer.finish() + closing : rest
    }

    private func safe(_ text: String) -> [UInt8] {
        Array((isTerminal ? TerminalText.sanitizedLines(text) : text).utf8)
    }

    private mutating func passCollected() -> [UInt8] {
        defer { collected = Data() }
        outline = nil
        return pass(collected)
    }

    /// Bytes that are no text, and all after them, go only where no terminal reads them.
    private mutating func pass(_ bytes: Data) -> [UInt8] {
        received += bytes.count
        guard isTerminal else { return Array(bytes) }
        guard sanitizer.isText else { return [] }
        let text = sanitizer.feed(Array(bytes))
        guard sanitizer.isText else { return [] }
        printed += bytes.count
        last = bytes.last ?? last
        return text
    }

    /// The end of the last line, and what was left out.
    private var closing: [UInt8] {
        let lineEnd = last == UInt8(ascii: "\n") ? "" : "\n"
        guard received > printed else { return Array(lineEnd.utf8) }
        let subject = printed > 0 ? "(\(received - printed) more bytes" : "\(received) bytes"
        let note = "\(subject) that are no text. They can go to a file: pulse get URL > FILE\(printed > 0 ? ")" : "")\n"
        return Array((lineEnd + note).utf8)
    }
}
