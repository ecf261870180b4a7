/// The header fields of a request or a response: ordered, with duplicates, case-insensitive.
///
/// Source: [RFC 9110, 5](https://www.rfc-editor.org/rfc/rfc9110#name-fields).
public struct HTTPHeaders: Sendable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name, compared case-insensitively.
        public var name: String
        /// The value, without surrounding blanks.
        public var value: String

        /// Creates a header field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Creates headers without fields.
    public init() {}

    /// Creates headers with the given fields in order.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The first value of the named field. Setting it replaces every field of that name, at the position of the first one; `nil` removes
    /// them.
    ///
    /// Complexity: O(n) in the number of fields.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
        set {
            let first = fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
            let spelling = first.map { fields[$0].name } ?? name
            removeAll(name)
            if let newValue { fields.insert(Field(name: spelling, value: newValue), at: first ?? fields.endIndex) }
        }
    }

    /// Returns every value of the named field, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Appends a field, in addition to existing ones of this name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a continuation line to the last field's value.
    mutating func continueLast(with more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    /// Reserves capacity for this many fields.
    mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Removes every field of that name.
    public mutating func removeAll(_ name: String) {
        fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
    }

    /// Returns these fields; fields of `other` replace those of the same name.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        guard !other.isEmpty else { return self }
        var merged = self
        for field in other { merged.removeAll(field.name) }
        merged.fields += other.fields
        return merged
    }
}

extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: Equatable {
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.value == $1.value && $0.name.equalsIgnoringASCIICase($1.name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders {
    /// Rejects every text that would let a field run into the next one or into the body.
    ///
    /// - Throws: `TransportError.invalidHeader` with the first invalid field; the value is not part of the error.
    func validate() throws(TransportError) {
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
                throw .invalidHeader(name: field.name.escapedForDisplay, reason: "the name contains an invalid character")
            }
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                throw .invalidHeader(name: field.name, reason: "the value contains a line break or a NUL")
            }
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can be sent.
    var isSendable: Bool { (try? HTTPHeaders([self]).validate()) != nil }
}

/// The description of a header is redacted, so that it can be logged.
extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "\(name): \(SecretNames.contains(name) ? Redactor.mark : Redactor().redacted(text: value))".controlsEscaped
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

/// The description of headers is redacted, so that they can be logged.
extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "[" + fields.map(\.description).joined(separator: ", ") + "]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
}

/// Returns whether a byte is allowed in a token, such as a method or a header's name.
///
/// Source: [RFC 9110, 5.6.2](https://www.rfc-editor.org/rfc/rfc9110#name-tokens).
func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

extension StringProtocol {
    func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        // Most names differ in length, which is cheap to compare.
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether this is a letter or a digit of ASCII.
    var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased) }
}
