import Foundation
import NetNodes
import TerminalViews

/// Formats a body for standard output: JSON of moderate size is pretty-printed, anything else is printed as received, sanitized for a
/// terminal. It buffers at most ``JSONOutline/largestBody`` bytes.
struct BodyFormat: Sendable {
    private let isTerminal: Bool
    /// `nil` once the body is known not to be JSON, or too large.
    private var outline: JSONOutline? = JSONOutline()
    /// The bytes received so far, while they may be JSON.
    private var collected = Data()
    private var sanitizer = LineSanitizer()
    private var last = UInt8(ascii: "\n")
    private var received = 0
    private var printed = 0

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// Returns the output for these bytes.
    mutating func feed(_ bytes: Data) -> [UInt8] {
        guard outline != nil else { return pass(bytes) }
        outline?.feed(bytes)
        collected.append(bytes)
        return outline?.isPossible == true ? [] : passCollected()
    }

    /// Returns the output at the end.
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

    /// Binary data, and everything after it, is printed only if the output is not a terminal.
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

    /// The end of the last line, and a note about omitted bytes.
    private var closing: [UInt8] {
        let lineEnd = last == UInt8(ascii: "\n") ? "" : "\n"
        guard received > printed else { return Array(lineEnd.utf8) }
        let subject = printed > 0 ? "(\(received - printed) more bytes" : "\(received) bytes"
        let note = "\(subject) of binary data. Redirect them to a file: pulse get URL > FILE\(printed > 0 ? ")" : "")\n"
        return Array((lineEnd + note).utf8)
    }
}
