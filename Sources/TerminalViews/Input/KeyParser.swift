/// Parses the bytes of a terminal into keys and mouse events, however the bytes are split.
///
/// Any split of the same bytes yields the same keys. The parser never traps, and buffers at most ``longestSequence`` bytes, and
/// ``longestPaste`` of a paste. An unfinished key waits for its rest for as long as that takes; only bytes that are a key by themselves are
/// decided by time, with ``timeOut()``: a lone Esc, or Alt with a letter that also begins a sequence. Text pasted in bracketed paste mode
/// (`ESC [ ? 2004 h`) is one key, ``Key/Code/paste(_:)``. Within it nothing is a key, not even a Ctrl-C that was copied along.
///
/// Alt with any key arrives as Esc and the bytes of that key, and is one key. An Esc is a key of its own if Alt does not go with the next
/// input: a paste, a click, an answer of the terminal, or Ctrl-C, which a program must never miss. A control character within a sequence
/// ends it, and is a key.
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

    /// Whether a part of the sequence in ``state`` timed out, and was emitted as keys.
    private enum Lateness: Sendable {
        case none
        /// The rest can still follow.
        case emitted
        /// One byte has followed. If another one comes at once, both are the rest, which a slow line has cut off; otherwise it was typed.
        case held(UInt8)
    }

    private var state = State.ground
    /// Whether an Esc precedes the key that is being parsed.
    private var isAlt = false
    private var paste = PasteBuffer(limit: longestPaste)
    private var lateness = Lateness.none
    /// The maximum length of a sequence; longer ones are ignored.
    package static let longestSequence = 64
    /// The maximum number of bytes kept of a paste; further bytes are dropped.
    package static let longestPaste = 65_536

    package init() {}

    /// Whether time decides what the received bytes are.
    package var isTimed: Bool {
        switch lateness {
        case .emitted: return false
        case .held: return true
        case .none: break
        }
        return switch state {
        case .escape, .shift3, .string(after: .some): true
        case .sequence(let bytes): bytes.isEmpty
        case .paste: !paste.isQuiet || paste.isInterrupted
        default: false
        }
    }

    /// Returns the keys completed by these bytes. O(n).
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, into: &keys) }
        return keys
    }

    /// Returns the key that the buffered bytes are by themselves. Call it when nothing has followed for some 30 ms while ``isTimed``.
    ///
    /// The rest of that key can still come (``Lateness``). A Ctrl-C within a paste that nothing precedes or follows for that time was typed:
    /// it ends a paste whose end was lost.
    package mutating func timeOut() -> [Key] {
        guard isTimed else { return [] }
        if case .paste = state, !paste.isInterrupted {
            paste.isQuiet = true
            return []
        }
        let keys = loneKeys
        switch state {
        case .escape, .sequence: (lateness, isAlt) = (.emitted, false)
        default: reset()
        }
        return keys
    }

    /// Returns the keys of the buffered bytes at the end of the input: a truncated sequence is none, a paste without an end is its text.
    package mutating func finish() -> [Key] {
        defer { reset() }
        return loneKeys
    }

    /// The keys that the buffered bytes are if nothing follows.
    private var loneKeys: [Key] {
        if case .emitted = lateness { return [] }
        if case .held(let byte) = lateness { return [.character(Character(Unicode.Scalar(byte)))] }
        let before: [Key] = isAlt ? [.escape] : []
        switch state {
        case .escape: return before + [.escape]
        case .sequence(let bytes) where bytes.isEmpty: return before + [.alt("[")]
        case .shift3: return before + [.alt("O")]
        case .string(let letter?): return before + [.alt(Character(Unicode.Scalar(letter)))]
        case .paste: return paste.keys
        default: return before
        }
    }

    private mutating func reset() {
        (state, isAlt, lateness, paste) = (.ground, false, .none, PasteBuffer(limit: Self.longestPaste))
    }

    private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
        guard case .none = lateness else { return takeLate(byte, into: &keys) }
        switch state {
        case .ground: takeFirst(byte, into: &keys)
        case .escape: takeAfterEscape(byte, into: &keys)
        case .sequence(let bytes): take(byte, inSequence: bytes, into: &keys)
        case .shift3: end(with: byte, into: &keys) { KeySequence.shift3(byte) }
        case .click(let bytes): take(byte, inClick: bytes + [byte], into: &keys)
        case .string(let letter): take(byte, inStringAfter: letter, into: &keys)
        case .stringEscape:
            // Another Esc is not Alt: the first one was to end the string.
            state = byte == UInt8(ascii: "\\") ? .ground : .escape
            if byte != UInt8(ascii: "\\"), byte != 0x1B { takeAfterEscape(byte, into: &keys) }
        case .scalar(let bytes, let length): take(byte, afterScalar: bytes, length: length, into: &keys)
        case .paste: takeInPaste(byte, into: &keys)
        }
    }

    /// Takes a byte after a part of its sequence timed out. The start of a paste is recognized however slowly it arrives, since pasted text
    /// must never become keys.
    private mutating func takeLate(_ byte: UInt8, into keys: inout [Key]) {
        switch (lateness, state, byte) {
        case (.held, _, 0x20...0x7E): lateness = .none
        case (.emitted, .escape, UInt8(ascii: "[")):
            (state, lateness) = (.sequence([]), .held(byte))
            return
        case (.emitted, .sequence(let bytes), 0x30...0x3F) where bytes.count < Self.longestSequence:
            (state, lateness) = (.sequence(bytes + [byte]), .held(byte))
            return
        case (.emitted, .sequence(PasteBuffer.startParameters), UInt8(ascii: "~")): lateness = .none
        default: keys += finish()
        }
        take(byte, into: &keys)
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
        keys += paste.keys
        reset()
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
        case UInt8(ascii: "$") where KeySequence.isNumber(bytes): end(with: byte, into: &keys) { KeySequence.control(bytes, final: byte) }
        case 0x20...0x3F where !isConsoleKey && bytes.count < Self.longestSequence: state = .sequence(bytes + [byte])
        case 0x20...0x3F where !isConsoleKey: break
        case UInt8(ascii: "~") where bytes == PasteBuffer.startParameters:
            end(nil, into: &keys)
            state = .paste
        default: end(with: byte, into: &keys) { isConsoleKey ? KeySequence.console(byte) : KeySequence.control(bytes, final: byte) }
        }
    }

    /// Ends a sequence with its last byte, or before a control character, which is a key of its own.
    private mutating func end(with byte: UInt8, into keys: inout [Key], key: () -> Key?) {
        guard (0x20...0x7E).contains(byte) else { return end(before: byte, into: &keys) }
        state = .ground
        end(key(), into: &keys)
    }

    /// Ends what cannot go on with this byte.
    private mutating func end(before byte: UInt8, into keys: inout [Key]) {
        keys += finish()
        takeFirst(byte, into: &keys)
    }

    /// Takes a byte of a report, which has a button, a column and a row. None of them is a control character; 0 stands for a place that a
    /// byte cannot express.
    private mutating func take(_ byte: UInt8, inClick bytes: [UInt8], into keys: inout [Key]) {
        guard byte == 0 || byte >= 0x20 else { return end(before: byte, into: &keys) }
        state = .click(bytes)
        guard bytes.count == 3 else { return }
        state = .ground
        end(Key.Mouse(bytes: bytes).map { Key(.mouse($0), $0.modifiers) }, into: &keys)
    }

    private mutating func take(_ byte: UInt8, inStringAfter letter: UInt8?, into keys: inout [Key]) {
        switch (byte, letter) {
        case (0x20..., _):
            if letter != nil { end(nil, into: &keys) }
            state = .string(after: nil)
        // No answer of a terminal is empty: the letter was a key.
        case (_, _?): end(before: byte, into: &keys)
        case (0x1B, nil): state = .stringEscape
        case (0x07, nil): state = .ground
        default: end(before: byte, into: &keys)
        }
    }

    private mutating func take(_ byte: UInt8, afterScalar bytes: [UInt8], length: Int, into keys: inout [Key]) {
        guard (0x80...0xBF).contains(byte) else { return end(before: byte, into: &keys) }
        state = .ground
        let bytes = bytes + [byte]
        guard bytes.count == length else { return state = .scalar(bytes, length: length) }
        let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
        end(scalar.flatMap { $0.isControl ? nil : .character(Character($0)) }, into: &keys)
    }
}
