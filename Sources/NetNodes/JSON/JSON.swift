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

        /// The digits without zeros at either end, and the exponent: the same text for the same value, in any notation.
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

/// Texts and names are equal if their bytes are equal: [RFC 8259, 8.3](https://www.rfc-editor.org/rfc/rfc8259#section-8.3). To compare two
/// texts as `String`s, they would be normalized, which takes quadratic time if they have many combining marks.
extension JSON {
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): Bytes(text: left) == Bytes(text: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let text): hasher.combine(Bytes(text: text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }

    /// A text by its bytes.
    struct Bytes: Hashable, Sendable {
        let text: String

        static func == (left: Bytes, right: Bytes) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension JSON {
    /// The members of an object in their order. The order is irrelevant for equality.
    public struct Object: Sendable {
        /// The names in order.
        public private(set) var keys: [String] = []
        private var values: [Bytes: JSON] = [:]

        /// Creates an object without members.
        public init() {}

        /// Creates an object; if two members have the same name, the later one wins.
        public init(_ members: some Sequence<(String, JSON)>) {
            for (key, value) in members { self[key] = value }
        }

        /// The value of a member. Setting it adds or replaces the member, setting `nil` removes it.
        ///
        /// Complexity: O(1); O(n) to remove a member.
        public subscript(key: String) -> JSON? {
            get { values[Bytes(text: key)] }
            set {
                let name = Bytes(text: key)
                let old = newValue.map { values.updateValue($0, forKey: name) } ?? values.removeValue(forKey: name)
                if newValue == nil { keys.removeAll { Bytes(text: $0) == name } } else if old == nil { keys.append(key) }
            }
        }
    }
}

extension JSON.Object: RandomAccessCollection {
    public var startIndex: Int { keys.startIndex }
    public var endIndex: Int { keys.endIndex }
    public subscript(position: Int) -> (key: String, value: JSON) {
        (keys[position], self[keys[position]] ?? .null)
    }
}

extension JSON.Object: Hashable, ExpressibleByDictionaryLiteral {
    public static func == (left: JSON.Object, right: JSON.Object) -> Bool { left.values == right.values }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}
