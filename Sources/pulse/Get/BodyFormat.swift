import Foundation
import NetNodes
import TerminalViews

/// The style in which bodies are printed.
struct BodyStyle: Sendable, Equatable {
    /// Whether text is made harmless for a terminal.
    var isSanitized = false
    /// Whether JSON is laid out and the declared charset is decoded.
    var isPretty = false
    var palette = Palette.none

    /// Prints the bytes as received.
    static let raw = BodyStyle()

    init(isSanitized: Bool = false, isPretty: Bool = false, palette: Palette = .none) {
        self.isSanitized = isSanitized
        self.isPretty = isPretty
        self.palette = palette
    }

    /// Chooses the style for standard output.
    ///
    /// - Parameter isTerminal: whether a terminal shows it, now or later.
    init(_ display: DisplayOptions, isTerminal: Bool) {
        isSanitized = isTerminal && display.layout != .raw
        isPretty = display.layout == .pretty || display.layout == .automatic && isTerminal
        palette = display.layout == .raw ? .none : Palette(for: STDOUT_FILENO, display.color)
    }
}

/// Formats a body for standard output. JSON is laid out, and the lines of event streams are colored. Any other body is printed as received,
/// sanitized for a terminal. It buffers at most ``JSONOutline/largestBody`` bytes; JSON beyond that is laid out while it is received.
struct BodyFormat: Sendable {
    private let style: BodyStyle
    private let decoder: CharsetDecoder?
    /// The outline; `nil` once the body is known not to be JSON, or too large.
    private var outline: JSONOutline?
    /// The bytes received so far, while they may be JSON.
    private var collected = Data()
    /// The layout of JSON that is too large to be collected.
    private var stream: JSONStream?
    private var lines: LineColors?
    private var sanitizer = TerminalText.LineSanitizer()
    private var last = UInt8(ascii: "\n")
    private var received = 0
    private var printed = 0

    /// - Parameters:
    ///   - mediaType: the type that the response declares.
    ///   - contentType: the same type with its parameters.
    init(_ style: BodyStyle, mediaType: String = "", contentType: String? = nil) {
        self.style = style
        decoder = style.isPretty || style.isSanitized ? CharsetDecoder(contentType: contentType) : nil
        guard style.isPretty else { return }
        if mediaType == "text/event-stream" {
            lines = LineColors(.events, style.palette)
        } else if JSONLines.types.contains(mediaType) {
            lines = LineColors(.json, style.palette)
        } else {
            outline = JSONOutline()
        }
    }

    /// Returns the output for these bytes.
    mutating func feed(_ bytes: Data) -> [UInt8] {
        take(decoder.map { Data($0.feed(bytes)) } ?? bytes)
    }

    private mutating func take(_ bytes: Data) -> [UInt8] {
        if let text = stream?.feed(bytes) { return pass(Data(text)) }
        guard outline != nil else { return pass(bytes) }
        outline?.feed(bytes)
        collected.append(bytes)
        if outline?.isTooLarge == true { return beginStream() }
        return outline?.isPossible == true ? [] : passCollected()
    }

    private mutating func beginStream() -> [UInt8] {
        defer { collected = Data() }
        outline = nil
        lines = LineColors(.json, style.palette)
        var stream = JSONStream()
        let text = stream.feed(collected.starts(with: JSONLayout.byteOrderMark) ? collected.dropFirst(3) : collected)
        self.stream = stream
        return pass(Data(text))
    }

    /// Returns the output when nothing has been received for a while: a complete value is then the first of JSON lines.
    mutating func pause() -> [UInt8] {
        guard outline?.isComplete == true, collected.last == UInt8(ascii: "\n") else { return [] }
        lines = LineColors(.json, style.palette)
        return passCollected()
    }

    /// Returns the output at the end.
    mutating func finish(isWhole: Bool) -> [UInt8] {
        if isWhole, outline != nil, let text = JSONLayout.text(of: collected) {
            return JSONColors(style.palette).colored(
                style.isSanitized ? Array(TerminalText.sanitizedLines(String(decoding: text, as: UTF8.self)).utf8) : text)
        }
        var rest = passCollected()
        if let decoder { rest += take(Data(decoder.finish())) }
        if let end = stream?.finish() { rest += pass(Data(end)) }
        guard style.isSanitized else { return rest + (lines?.finish() ?? []) }
        let end = sanitizer.finish()
        rest += lines?.feed(end) ?? end
        return rest + (lines?.finish() ?? []) + closing
    }

    private mutating func passCollected() -> [UInt8] {
        defer { collected = Data() }
        outline = nil
        return pass(collected)
    }

    /// Returns text as it is. Binary data, and everything after it, is printed only if the output is not a terminal.
    private mutating func pass(_ bytes: Data) -> [UInt8] {
        received += bytes.count
        guard style.isSanitized else { return lines?.feed(Array(bytes)) ?? Array(bytes) }
        guard sanitizer.isText else { return [] }
        let text = sanitizer.feed(Array(bytes))
        guard sanitizer.isText else { return [] }
        printed += bytes.count
        last = bytes.last ?? last
        return lines?.feed(text) ?? text
    }

    /// The end of the last line, with a note about omitted bytes.
    private var closing: [UInt8] {
        let lineEnd = last == UInt8(ascii: "\n") ? "" : "\n"
        guard received > printed else { return Array(lineEnd.utf8) }
        let subject = printed > 0 ? "(\(received - printed) more bytes" : "\(received) bytes"
        let note = "\(subject) of binary data. Redirect them to a file: pulse get URL > FILE\(printed > 0 ? ")" : "")\n"
        return Array((lineEnd + note).utf8)
    }
}
