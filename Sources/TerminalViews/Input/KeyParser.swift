/// Parses the bytes of a terminal into keys and mouse events, however the bytes are split.
///
/// Any split of the same bytes yields the same keys. The parser never traps, and buffers at most ``longestSequence`` bytes, and
/// ``longestPaste`` of a paste. Only time distinguishes a lone Esc from the start of a sequence. Call ``timeOut()`` when ``isPending`` has
/// been true for some 30 ms, or, during a paste without an end (``isPasting``), for some seconds. Text pasted in bracketed paste mode (`ESC
/// [ ? 2004 h`) is one key, ``Key/Code/paste(_:)``. Within it nothing is a key, not even a Ctrl-C that was copied along. If its end marker
/// was lost, only ``timeOut()`` ends it.
///
/// Alt with any key arrives as Esc and the bytes of that key, and is one key. An Esc is a key of its own if Alt does not go with the next
/// input: a paste, a click, an answer of the terminal, or Ctrl-C, which a program must never miss.
///
/// Source: [XTerm control sequences](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
package struct KeyParser: Sendable {
    private enum State: Sendable {
        case ground
        case escape
        /// After `ESC [`, with the bytes since.
        case sequence([UInt8])
        /// After `ESC O`.
        case shift3
        /// After `ESC [ M`, with the bytes since.
        case click([UInt8])
        /// Inside a string that a terminal sends in response to a query; it is terminated by BEL or `ESC \`. With the letter after Esc
        /// until something has followed it.
        case string(after: UInt8?)
        case stringEscape
        /// Inside a character of several bytes.
        case scalar([UInt8], length: Int)
        /// Inside a paste, which has its own variable because it can be long.
        case paste
    }

    private var state = State.ground
    /// Whether an Esc precedes the key that is being parsed.
    private var isAlt = false
    private var paste = PasteBuffer(limit: longestPaste)
    /// The maximum length of a sequence; longer ones are ignored.
    package static let longestSequence = 64
    /// The maximum number of bytes kept of a paste; further bytes are dropped.
    package static let longestPaste = 65_536

    package init() {}

    /// Whether an incomplete key is buffered.
    package var isPending: Bool {
        if case .ground = state { return false }
        return true
    }

    /// Whether a paste has begun and not ended.
    package var isPasting: Bool {
        if case .paste = state { return true }
        return false
    }

    /// Returns the keys completed by these bytes. O(n).
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, into: &keys) }
        return keys
    }

    /// Returns the keys of the buffered bytes if no more follow: Esc, Alt with a letter, a paste without an end, or none.
    package mutating func timeOut() -> [Key] {
        let before: [Key] = isAlt ? [.escape] : []
        defer { (state, isAlt) = (.ground, false) }
        switch state {
        case .escape: return before + [.escape]
        case .sequence(let bytes) where bytes.isEmpty: return before + [.alt("[")]
        case .shift3: return before + [.alt("O")]
        case .string(let letter?): return before + [.alt(Character(Unicode.Scalar(letter)))]
        case .paste: return paste.takeText().map { [.paste($0)] } ?? []
        default: return before
        }
    }

    private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
        switch state {
        case .ground: takeFirst(byte, into: &keys)
        case .escape: takeAfterEscape(byte, into: &keys)
        case .sequence(let bytes): take(byte, inSequence: bytes, into: &keys)
        case .shift3: finish(byte, into: &keys) { KeySequence.shift3(byte) }
        case .click(let bytes): take(byte, inClick: bytes + [byte], into: &keys)
        case .string(let letter): take(byte, inStringAfter: letter, into: &keys)
        case .stringEscape:
            state = .escape
            if byte == UInt8(ascii: "\\") { state = .ground } else { takeAfterEscape(byte, into: &keys) }
        case .scalar(let bytes, let length): take(byte, afterScalar: bytes, length: length, into: &keys)
        case .paste: takeInPaste(byte, into: &keys)
        }
    }

    /// Ends a key: with Alt after an Esc, or `nil` if the bytes form no key.
    private mutating func end(_ key: Key?, into keys: inout [Key]) {
        defer { isAlt = false }
        if let key, isAlt, key.mouse == nil, key != .control("c") {
            keys.append(Key(key.code, key.modifiers.union(.alt)))
        } else {
            keys += [isAlt ? .escape : nil, key].compactMap(\.self)
        }
    }

    private mutating func takeInPaste(_ byte: UInt8, into keys: inout [Key]) {
        guard paste.take(byte) else { return }
        state = .ground
        if let text = paste.takeText() { keys.append(.paste(text)) }
    }

    private mutating func takeFirst(_ byte: UInt8, into keys: inout [Key]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x00...0x1F, 0x7F: end(KeySequence.control(byte), into: &keys)
        case 0x20...0x7E: end(.character(Character(Unicode.Scalar(byte))), into: &keys)
        case 0xC2...0xDF: state = .scalar([byte], length: 2)
        case 0xE0...0xEF: state = .scalar([byte], length: 3)
        case 0xF0...0xF4: state = .scalar([byte], length: 4)
        default: end(nil, into: &keys)
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8, into keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shift3
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"): state = .string(after: byte)
        default:
            // The first of two Esc is a key, unless the second one begins the next key.
            if isAlt { end(nil, into: &keys) }
            isAlt = true
            state = .ground
            takeFirst(byte, into: &keys)
        }
    }

    private mutating func take(_ byte: UInt8, inSequence bytes: [UInt8], into keys: inout [Key]) {
        // The Linux console sends F1 to F5 as `ESC [ [ A` to `E`.
        let isConsoleKey = bytes == [UInt8(ascii: "[")]
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty: state = .sequence([byte])
        case UInt8(ascii: "M") where bytes.isEmpty: state = .click([])
        case UInt8(ascii: "$") where KeySequence.isNumber(bytes): finish(byte, into: &keys) { KeySequence.control(bytes, final: byte) }
        case 0x20...0x3F where !isConsoleKey && bytes.count < Self.longestSequence: state = .sequence(bytes + [byte])
        case 0x20...0x3F where !isConsoleKey: break
        case UInt8(ascii: "~") where bytes == PasteBuffer.startParameters:
            end(nil, into: &keys)
            state = .paste
        default: finish(byte, into: &keys) { isConsoleKey ? KeySequence.console(byte) : KeySequence.control(bytes, final: byte) }
        }
    }

    /// Ends a sequence with its last byte. A control character in place of that byte ends it too, and is a key of its own.
    private mutating func finish(_ byte: UInt8, into keys: inout [Key], key: () -> Key?) {
        state = .ground
        let isLast = (0x20...0x7E).contains(byte)
        end(isLast ? key() : nil, into: &keys)
        if !isLast { takeFirst(byte, into: &keys) }
    }

    /// Takes a byte of a report, which has a button, a column and a row. None of them is a control character; 0 stands for a place that a
    /// byte cannot express.
    private mutating func take(_ byte: UInt8, inClick bytes: [UInt8], into keys: inout [Key]) {
        guard byte == 0 || byte >= 0x20 else { return finish(byte, into: &keys) { nil } }
        state = .click(bytes)
        guard bytes.count == 3 else { return }
        state = .ground
        end(Mouse(bytes: bytes).map { Key(.mouse($0), $0.modifiers) }, into: &keys)
    }

    private mutating func take(_ byte: UInt8, inStringAfter letter: UInt8?, into keys: inout [Key]) {
        switch (byte, letter) {
        case (0x20..., _):
            if letter != nil { end(nil, into: &keys) }
            state = .string(after: nil)
        // No answer of a terminal is empty: the letter was a key.
        case (_, let letter?):
            if isAlt { end(nil, into: &keys) }
            state = .ground
            keys.append(.alt(Character(Unicode.Scalar(letter))))
            takeFirst(byte, into: &keys)
        case (0x1B, nil): state = .stringEscape
        case (0x07, nil): state = .ground
        default:
            state = .ground
            takeFirst(byte, into: &keys)
        }
    }

    private mutating func take(_ byte: UInt8, afterScalar bytes: [UInt8], length: Int, into keys: inout [Key]) {
        state = .ground
        guard (0x80...0xBF).contains(byte) else {
            end(nil, into: &keys)
            return takeFirst(byte, into: &keys)
        }
        let bytes = bytes + [byte]
        guard bytes.count == length else { return state = .scalar(bytes, length: length) }
        let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
        end(scalar.flatMap { $0.isControl ? nil : .character(Character($0)) }, into: &keys)
    }
}

/// The received part of a paste.
///
/// Source: [XTerm control sequences, bracketed paste
/// mode](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode).
private struct PasteBuffer: Sendable {
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
