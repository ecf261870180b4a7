/// The received part of a paste.
///
/// Source: [XTerm control sequences, bracketed paste
/// mode](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode).
struct PasteBuffer: Sendable {
    /// The number between `ESC [` and `~`.
    static let startParameters = Array("200".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    private let limit: Int
    private var bytes: [UInt8] = []
    /// The number of bytes of the end marker received so far.
    private var matched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next byte.
    /// - Returns: whether it completes the end marker.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        // The end marker begins with its only Esc, so after a mismatch a match can only start again.
        for held in Self.end.prefix(matched) { keep(held) }
        matched = byte == Self.end[0] ? 1 : 0
        if matched == 0 { keep(byte) }
        return false
    }

    /// Takes the text; `nil` if there is none. Bytes that are not UTF-8 become `\u{FFFD}`.
    mutating func takeText() -> String? {
        defer {
            bytes = []
            matched = 0
        }
        if bytes.count == limit { dropCutScalar() }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < limit { bytes.append(byte) }
    }

    private mutating func dropCutScalar() {
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
}
