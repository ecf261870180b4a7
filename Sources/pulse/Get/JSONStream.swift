internal import Bytes
import Foundation
import NetNodes

/// Lays JSON out while it is received, in memory that does not depend on its length: the same text as that of ``JSONLayout``, except that
/// strings beyond ``longestString`` keep their escapes, and lines beyond ``deepest`` levels are indented no further.
///
/// Bytes that follow a fault are passed on as they are: a body can be JSON only until there.
struct JSONStream: Sendable {
    /// The most bytes of a string that are read as text.
    static let longestString = 64 * 1024
    /// The most levels by which a line is indented.
    static let deepest = 32

    private enum State {
        /// Between tokens.
        case between
        /// Within a string; `held` has its bytes, unless it is too long.
        case string(isEscaped: Bool, isHeld: Bool)
        /// After a fault.
        case verbatim
    }

    private var state = State.between
    private var held: [UInt8] = []
    /// The closing brackets that are awaited.
    private var closers: [UInt8] = []
    /// Whether a bracket was opened last: its line break depends on what follows.
    private var isOpening = false
    /// Whether the last byte belongs to a number or a literal.
    private var isInScalar = false
    /// Whether a value has ended, after which another needs a comma.
    private var isAfterValue = false
    private var result: [UInt8] = []

    /// Returns the output for these bytes.
    mutating func feed(_ bytes: Data) -> [UInt8] {
        result.reserveCapacity(bytes.count * 2)
        for byte in bytes { take(byte) }
        defer { result = [] }
        return result
    }

    /// Returns the rest at the end.
    mutating func finish() -> [UInt8] {
        defer { held = [] }
        if case .verbatim = state { return [] }
        return held + [0x0A]
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .verbatim: result.append(byte)
        case .string(let isEscaped, let isHeld): take(inString: byte, isEscaped, isHeld)
        case .between: take(between: byte)
        }
    }

    private mutating func take(between byte: UInt8) {
        guard !byte.isBlank, !byte.isLineEnd else {
            isAfterValue = isAfterValue || isInScalar
            return isInScalar = false
        }
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            (isInScalar, isAfterValue) = (false, false)
            result.append(byte)
            if byte == UInt8(ascii: ",") { breakLine() } else { result.append(0x20) }
        default:
            // The blank that stood here was left out.
            if isAfterValue { return fail(at: byte, after: closers.isEmpty ? 0x0A : 0x20) }
            if isOpening { breakLine() }
            isOpening = false
            begin(byte)
        }
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            held.append(byte)
            state = .string(isEscaped: false, isHeld: true)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            result.append(byte)
            closers.append(byte + 2)
            isOpening = true
        default:
            result.append(byte)
            isInScalar = true
            // No number or literal has any other character.
            if !byte.isAlphanumeric, !"+-.".utf8.contains(byte) { state = .verbatim }
        }
    }

    private mutating func close(_ byte: UInt8) {
        guard closers.popLast() == byte else {
            result.append(byte)
            return state = .verbatim
        }
        if !isOpening { breakLine() }
        (isOpening, isInScalar, isAfterValue) = (false, false, true)
        result.append(byte)
    }

    private mutating func fail(at byte: UInt8, after separator: UInt8) {
        result += [separator, byte]
        state = .verbatim
    }

    private mutating func take(inString byte: UInt8, _ isEscaped: Bool, _ isHeld: Bool) {
        if isHeld { held.append(byte) } else { result.append(byte) }
        if byte == UInt8(ascii: "\""), !isEscaped {
            result += JSONLayout.readable(held[...])
            held = []
            isAfterValue = true
            return state = .between
        }
        let isStill = isHeld && held.count < Self.longestString
        if isHeld, !isStill {
            result += held
            held = []
        }
        state = .string(isEscaped: byte == UInt8(ascii: "\\") && !isEscaped, isHeld: isStill)
    }

    private mutating func breakLine() {
        result.append(0x0A)
        result.append(contentsOf: repeatElement(0x20, count: min(closers.count, Self.deepest) * 2))
    }
}
