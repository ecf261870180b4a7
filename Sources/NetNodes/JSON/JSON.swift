/// A JSON value: used in chains without a more specific model.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
public enum JSON: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, exactly as it was written.
    case number(Number)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Values by name, in the order in which they were written.
    case object(Object)

    /// An object without members, which represents an empty response.
    public static let empty = JSON.object([:])
}

extension JSON {
    /// A number with its digits as written, so that no precision is lost. Numbers of equal value are equal.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The number as JSON text.
        public let literal: String

        /// Creates a number from a validated literal.
        init(literal: String) {
            self.literal = literal
        }

        /// Creates the number of an integer of any size.
        public init(_ value: some BinaryInteger) {
            literal = String(value)
        }

        /// Creates a number from a finite value; `nil` for infinity and NaN, which JSON cannot represent.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            literal = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
        }

        /// The value if it is an integer in the range of `Int`.
        public var int: Int? { Int(literal) ?? wholeDouble }

        /// The value, rounded to a `Double` if necessary.
        public var double: Double { Double(literal) ?? .nan }

        public var description: String { literal }

        private var wholeDouble: Int? { Int(exactly: double) }

        public static func == (left: Number, right: Number) -> Bool {
            left.literal == right.literal || left.normalized == right.normalized
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(normalized)
        }

        /// The digits without zeros at either end, and the exponent: the same text for the same value, however it was written.
        private var normalized: String {
            let parts = literal.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
            guard let mantissa = parts.first, let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return literal }
            let point = mantissa.firstIndex(of: ".")
            let decimals = point.map { mantissa[$0...].count - 1 } ?? 0
            let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
            let significant = digits.reversed().drop { $0 == "0" }.reversed()
            let (scale, hasOverflow) = exponent.subtractingReportingOverflow(decimals - (digits.count - significant.count))
            guard !significant.isEmpty else { return "0" }
            return hasOverflow ? literal : (mantissa.hasPrefix("-") ? "-" : "") + String(significant) + "e\(scale)"
        }
    }
}

/// Typed access to a value.
extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The Boolean, if this is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, if this is one in the range of `Int`.
    public var int: Int? {
        if case .number(let value) = self { value.int } else { nil }
    }

    /// The number, if this is one.
    public var double: Double? {
        if case .number(let value) = self { value.double } else { nil }
    }

    /// The text, if this is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if this is an object.
    public var object: Object? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of an object. Reading from anything else returns `nil`; writing turns it into an object.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            var members = object ?? [:]
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element of an array; `nil` if out of range.
    public subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Returns the value at a path such as `user.emails.0`: members by name, elements by index.
    public func value(at path: String) -> JSON? {
        path.split(separator: ".").reduce(Optional(self)) { value, step in
            guard let value else { return nil }
            return value.array != nil ? Int(step).flatMap { value[$0] } : value[String(step)]
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Number(value)) }
    public init(floatLiteral value: Double) { self = Number(value).map { .number($0) } ?? .null }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Object(elements)) }
}

extension JSON {
    /// Creates a string.
    public init(_ value: String) { self = .string(value) }
    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { self = .number(Number(value)) }
    /// Creates a number; null for infinity and NaN.
    public init(_ value: Double) { self = Number(value).map { .number($0) } ?? .null }
    /// Creates a Boolean.
    public init(_ value: Bool) { self = .bool(value) }
}
