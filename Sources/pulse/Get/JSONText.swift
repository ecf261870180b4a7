internal import Bytes
import Foundation
import NetNodes

/// Lays JSON text out as it was written, with a member or an element on each line: a name that occurs twice stays twice, and a number keeps
/// its digits. Only strings with escapes or characters beyond ASCII are rewritten, so that you can read these as text.
struct JSONLayout {
    private var result: [UInt8] = []
    private var depth = 0

    /// Returns the text with its line breaks; `nil` if it is not JSON. O(n).
    static func text(of data: Data) -> [UInt8]? {
        guard (try? JSON(parsing: data)) != nil else { return nil }
        var layout = JSONLayout()
        layout.result.reserveCapacity(data.count * 2)
        layout.write(Array(data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data))
        return layout.result + [UInt8(ascii: "\n")]
    }

    private mutating func write(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = Self.endOfString(in: text, from: index)
                write(string: text[index..<end])
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, isEmpty: Self.isClosed(text, after: index))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                breakLine()
            case UInt8(ascii: ":"): result += [byte, 0x20]
            case _ where byte.isBlank || byte.isLineEnd: break
            default: result.append(byte)
            }
            index += 1
        }
    }

    private mutating func open(_ bracket: UInt8, isEmpty: Bool) {
        result.append(bracket)
        depth += 1
        if !isEmpty { breakLine() }
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(result.last) { breakLine() }
        result.append(bracket)
    }

    private mutating func breakLine() {
        result.append(0x0A)
        result.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }

    private mutating func write(string: ArraySlice<UInt8>) {
        result.append(contentsOf: Self.readable(string))
    }

    /// Returns a string, with its quotes, as you can read it.
    static func readable(_ string: ArraySlice<UInt8>) -> [UInt8] {
        let isPlain = string.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard !isPlain, let value = try? JSON(parsing: Data(string)) else { return Array(string) }
        return Array(value.text().utf8)
    }

    private static func endOfString(in text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, text.count)
    }

    /// Whether a closing bracket is next.
    private static func isClosed(_ text: [UInt8], after index: Int) -> Bool {
        guard let next = text[(index + 1)...].first(where: { !$0.isBlank && !$0.isLineEnd }) else { return true }
        return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Determines, while bytes are received, whether they can still be one JSON value. Of one that is small enough to be kept, a parser makes the
/// final decision; a longer one is laid out as it comes.
struct JSONOutline: Sendable {
    /// Whether the bytes can still be JSON of a moderate size.
    private(set) var isPossible = true
    /// Whether the bytes could still be JSON when there were too many to keep.
    private(set) var isTooLarge = false
    private var count = 0
    private var received = 0
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

    /// The maximum size of a body that is kept, in bytes.
    static let largestBody = 1024 * 1024
    private static let largestLayout = 8 * largestBody
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Inspects further bytes. O(n), with at most ``largestBody`` bytes.
    mutating func feed(_ bytes: Data) {
        for byte in bytes.prefix(Self.largestBody - count) where isPossible {
            take(byte)
            count += 1
        }
        guard isPossible, laidOutSize <= Self.largestLayout else { return isPossible = false }
        received += bytes.count
        isTooLarge = received > Self.largestBody
        isPossible = !isTooLarge
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
