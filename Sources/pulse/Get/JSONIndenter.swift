/// Lays JSON out for reading without changing it: names keep their order, numbers and strings their spelling.
///
/// Grammar: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259). It does not recurse, so depth is no danger. O(n).
struct JSONIndenter {
    private enum Expected {
        case value
        /// After `[`.
        case valueOrEnd
        /// After a comma in an object.
        case name
        /// After `{`.
        case nameOrEnd
        case colon
        case commaOrEnd
        case nothing
    }

    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []
    private var containers: [UInt8] = []
    private var expected = Expected.value

    /// The text laid out, without a line feed at its end; nil where it is no JSON.
    static func indented(_ text: String) -> String? {
        var indenter = JSONIndenter(text)
        guard indenter.run() else { return nil }
        return String(decoding: indenter.output, as: UTF8.self)
    }

    private init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count * 2)
    }

    private mutating func run() -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                position += 1
            } else if !take(byte) {
                return false
            }
        }
        if case .nothing = expected { return true }
        return false
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch (byte, expected) {
        case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd): open(byte, then: .nameOrEnd)
        case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd): open(byte, then: .valueOrEnd)
        case (UInt8(ascii: "}"), .commaOrEnd), (UInt8(ascii: "}"), .nameOrEnd): close(byte, opener: UInt8(ascii: "{"))
        case (UInt8(ascii: "]"), .commaOrEnd), (UInt8(ascii: "]"), .valueOrEnd): close(byte, opener: UInt8(ascii: "["))
        case (UInt8(ascii: ","), .commaOrEnd): comma()
        case (UInt8(ascii: ":"), .colon): colon()
        case (UInt8(ascii: "\""), .name), (UInt8(ascii: "\""), .nameOrEnd): copyName()
        case (_, .value), (_, .valueOrEnd): copyScalar(byte)
        default: false
        }
    }

    private mutating func open(_ byte: UInt8, then next: Expected) -> Bool {
        breakAfterOpening()
        output.append(byte)
        containers.append(byte)
        expected = next
        position += 1
        return true
    }

    private mutating func close(_ byte: UInt8, opener: UInt8) -> Bool {
        guard containers.popLast() == opener else { return false }
        // An empty container stays on one line.
        if case .commaOrEnd = expected { breakLine() }
        output.append(byte)
        position += 1
        endValue()
        return true
    }

    private mutating func comma() -> Bool {
        output.append(UInt8(ascii: ","))
        breakLine()
        expected = containers.last == UInt8(ascii: "{") ? .name : .value
        position += 1
        return true
    }

    private mutating func colon() -> Bool {
        output += Array(": ".utf8)
        expected = .value
        position += 1
        return true
    }

    private mutating func copyName() -> Bool {
        breakAfterOpening()
        expected = .colon
        return copyString()
    }

    private mutating func copyScalar(_ byte: UInt8) -> Bool {
        breakAfterOpening()
        defer { endValue() }
        switch byte {
        case UInt8(ascii: "\""): return copyString()
        case UInt8(ascii: "t"): return copy("true")
        case UInt8(ascii: "f"): return copy("false")
        case UInt8(ascii: "n"): return copy("null")
        default: return copyNumber()
        }
    }

    private mutating func endValue() {
        expected = containers.isEmpty ? .nothing : .commaOrEnd
    }

    /// The first thing in a container stands on a line of its own.
    private mutating func breakAfterOpening() {
        switch expected {
        case .valueOrEnd, .nameOrEnd: breakLine()
        default: break
        }
    }

    private mutating func breakLine() {
        output.append(UInt8(ascii: "\n"))
        // Indentation ends to grow where nobody reads it any more: output stays linear in the input.
        output += repeatElement(UInt8(ascii: " "), count: min(containers.count, 64) * 2)
    }

    private mutating func copy(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        output += word.utf8
        position += word.utf8.count
        return true
    }

    private mutating func copyString() -> Bool {
        let start = position
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                output += bytes[start..<position]
                return true
            case UInt8(ascii: "\\"):
                guard position + 1 < bytes.count, skipEscape(bytes[position + 1]) else { return false }
            case 0..<0x20: return false
            default: position += 1
            }
        }
        return false
    }

    private mutating func skipEscape(_ byte: UInt8) -> Bool {
        if byte != UInt8(ascii: "u") {
            position += 2
            return Array("\"\\/bfnrt".utf8).contains(byte)
        }
        let digits = bytes[position...].dropFirst(2).prefix(4)
        position += 6
        return digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private mutating func copyNumber() -> Bool {
        let start = position
        skip("-")
        if !skip("0"), !skipDigits() { return false }
        if skip("."), !skipDigits() { return false }
        if skip("eE") {
            skip("+-")
            if !skipDigits() { return false }
        }
        output += bytes[start..<position]
        return true
    }

    /// Goes over one byte if it is one of these.
    @discardableResult
    private mutating func skip(_ choices: String) -> Bool {
        guard position < bytes.count, choices.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while skip("0123456789") {}
        return position > start
    }
}
