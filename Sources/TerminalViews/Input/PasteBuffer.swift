/// The received part of a paste.
///
/// Source: [XTerm control sequences, bracketed paste
/// mode](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode).
struct PasteBuffer: Sendable {
    /// The number between `ESC [` and `~`.
    static let startParameters = Array("200".utf8)
    private static let end = Array("\u{1B}[201~".utf8)
    private static let interrupt: UInt8 = 0x03

    private let limit: Int
    private var bytes: [UInt8] = []
    /// The number of bytes of the end marker received so far.
    private var matched = 0
    /// Whether nothing was received for a moment, and since then nothing but Ctrl-C.
    var isQuiet = false
    /// The number of times that Ctrl-C was received since then.
    private var interrupts = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether nothing but Ctrl-C was received since a silence.
    var isInterrupted: Bool { interrupts > 0 }

    /// Takes the next byte.
    /// - Returns: whether it completes the end marker.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            endSilence()
            matched += 1
            return matched == Self.end.count
        }
        // The end marker begins with its only Esc, so after a mismatch a match can only start again.
        for held in Self.end.prefix(matched) { keep(held) }
        matched = byte == Self.end[0] ? 1 : 0
        if isQuiet, byte == Self.interrupt {
            interrupts += 1
            return false
        }
        endSilence()
        if matched == 0 { keep(byte) }
        return false
    }

    /// The paste, if it has text, and Ctrl-C if that has interrupted it. Bytes that are not UTF-8 become `\u{FFFD}`.
    var keys: [Key] {
        let kept = bytes.count == limit ? bytes.withoutCutScalar : bytes[...]
        return (kept.isEmpty ? [] : [.paste(String(decoding: kept, as: UTF8.self))]) + (isInterrupted ? [.control("c")] : [])
    }

    /// What was received after the silence is text like everything before it.
    private mutating func endSilence() {
        for _ in 0..<interrupts { keep(Self.interrupt) }
        (isQuiet, interrupts) = (false, 0)
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < limit { bytes.append(byte) }
    }
}

extension [UInt8] {
    /// The bytes without a scalar that the limit may have cut.
    fileprivate var withoutCutScalar: ArraySlice<UInt8> {
        guard let start = lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return [] }
        return self[...start].last.map { $0 >= 0xC0 ? self[..<start] : self[...start] } ?? []
    }
}
