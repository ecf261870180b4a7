internal import Bytes
public import Foundation

extension JSON: CustomStringConvertible {
    /// The formatting of a value.
    public struct Format: OptionSet, Sendable {
        /// The raw value of the options.
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// One member or element per line, indented by two spaces.
        public static let pretty = Format(rawValue: 1)
        /// Members sorted by name, so that equal values have equal text.
        public static let sortedKeys = Format(rawValue: 2)
    }

    /// The value on one line.
    public var description: String { text() }

    /// Returns the value as text. Control characters are escaped, so it is safe to print on a terminal.
    public func text(_ format: Format = []) -> String {
        var printer = JSONPrinter(format: format)
        printer.write(self, depth: 0)
        return printer.text
    }

    /// Returns the value as UTF-8.
    public func data(_ format: Format = []) -> Data {
        Data(text(format).utf8)
    }
}

private struct JSONPrinter {
    let format: JSON.Format
    private(set) var text = ""

    init(format: JSON.Format) {
        self.format = format
    }

    mutating func write(_ value: JSON, depth: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number.literal
        case .string(let string): write(string)
        case .array(let elements):
            write("[", "]", elements, depth) { $0.write($1, depth: depth + 1) }
        case .object(let members):
            let sorted = format.contains(.sortedKeys) ? members.sorted { $0.key < $1.key } : Array(members)
            write("{", "}", sorted, depth) { printer, member in
                printer.write(member.key)
                printer.text += printer.format.contains(.pretty) ? ": " : ":"
                printer.write(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func write<Item>(
        _ opening: String, _ closing: String, _ items: [Item], _ depth: Int, _ writeItem: (inout JSONPrinter, Item) -> Void
    ) {
        text += opening
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            breakLine(depth + 1)
            writeItem(&self, item)
        }
        if !items.isEmpty { breakLine(depth) }
        text += closing
    }

    private mutating func breakLine(_ depth: Int) {
        guard format.contains(.pretty) else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                text += "\\u" + UInt16(scalar.value).hexadecimal
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
