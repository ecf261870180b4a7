import Foundation

/// Determines, while bytes are received, whether they can still be one JSON value that is small enough to be pretty-printed; a parser makes
/// the final decision.
struct JSONOutline: Sendable {
    /// Whether the bytes can still be JSON of a moderate size.
    private(set) var isPossible = true
    private var count = 0
    /// The maximum pretty-printed size. Deep nesting expands considerably.
    private var laidOutSize = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether it is inside a number or a literal at the top level.
    private var isInScalar = false
    private var isOver = false

    /// Whether the bytes received so far appear to be one value.
    var isComplete: Bool { isPossible && isOver }

    /// The maximum size of a body, in bytes.
    static let largestBody = 1024 * 1024
    private static let largestLayout = 8 * largestBody
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Inspects further bytes. O(n), with at most ``largestBody`` bytes.
    mutating func feed(_ bytes: Data) {
        guard count + bytes.count <= Self.largestBody else { return isPossible = false }
        for byte in bytes where isPossible {
            take(byte)
            count += 1
        }
        if laidOutSize > Self.largestLayout { isPossible = false }
    }

    private mutating func take(_ byte: UInt8) {
        laidOutSize += 1
        guard !isInString else { return takeInString(byte) }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): isOver = isOver || isInScalar
        case _ where isOver: isPossible = false
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            breakLine()
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            breakLine()
            isOver = depth == 0
            isPossible = depth >= 0
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            breakLine()
            isPossible = depth > 0
        case UInt8(ascii: "\""): isInString = true
        case _ where Self.isOfScalar[Int(byte)]: isInScalar = depth == 0
        default: isPossible = count < Self.byteOrderMark.count && Self.byteOrderMark[count] == byte
        }
    }

    private mutating func takeInString(_ byte: UInt8) {
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""):
            isInString = false
            isOver = depth == 0
        case 0..<0x20: isPossible = false
        default: break
        }
    }

    private mutating func breakLine() {
        laidOutSize += 2 * max(0, depth) + 1
    }

    /// The characters of numbers, `true`, `false` and `null`.
    private static let isOfScalar = (UInt8.min...UInt8.max).map(Set("-+.0123456789eEtrufalsn".utf8).contains)
}
