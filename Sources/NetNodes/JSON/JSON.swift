/// A JSON value: what goes through a chain where no model says more.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSON])
    case object(Object)

    /// An object without members: what stands for an empty response.
    public static let empty = JSON.object([:])
}

extension JSON {
    /// A number, with its digits as they were written, so that none is lost. Numbers of the same value are equal.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The number as JSON writes it.
        public let literal: String

        /// A literal that the parser has checked.
        init(literal: String) {
            self.literal = literal
        }

        public init(_ value: some BinaryInteger) {
            literal = String(value)
        }

        /// A number of a finite value; infinity and NaN, which JSON cannot say, are nil.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            literal = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
        }

        /// The value if it is a whole number that fits.
        public var int: Int? { Int(literal) ?? wholeDouble }

        /// The value, rounded where a `Double` cannot hold it.
        public var double: Double { Double(literal) ?? .nan }

        public var description: String { literal }

        private var wholeDouble: Int? { Int(exactly: double) }

        public static func == (left: Number, right: Number) -> Bool {
            if left.literal == right.literal { return true }
            guard Int(left.literal) == nil || Int(right.literal) == nil else { return left.int == right.int }
            return left.double == right.double
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(double)
        }
    }
}

/// What a value is.
extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, if this is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The whole number, if this is one that fits.
    public var int: Int? {
        guard case .number(let value) = self else { return nil }
        return value.int
    }

    /// The number, if this is one.
    public var double: Double? {
        guard case .number(let value) = self else { return nil }
        return value.double
    }

    /// The text, if this is one.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    public var array: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members, if this is an object.
    public var object: Object? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member of an object. Reading from anything else is nil; writing makes it an object.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            var members = object ?? [:]
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element of an array; nil where there is none.
    public subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at a path such as `user.emails.0`: members by name, elements by index.
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
    /// A string that was computed.
    public init(_ value: String) { self = .string(value) }
    /// A whole number that was computed.
    public init(_ value: some BinaryInteger) { self = .number(Number(value)) }
    /// A number that was computed; null for infinity and NaN.
    public init(_ value: Double) { self = Number(value).map { .number($0) } ?? .null }
    /// A truth value that was computed.
    public init(_ value: Bool) { self = .bool(value) }
}
