internal import Bytes

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

    @usableFromInline var fields: [Field] = []

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

    /// Returns the comma-separated members of every field of this name, in lower case.
    package func tokens(in name: String) -> [String] {
        values(name)
            .flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty }
    }

    /// Appends a field, in addition to existing ones of this name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a continuation line to the last field's value.
    package mutating func continueLast(with more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    /// Reserves capacity for this many fields.
    package mutating func reserveCapacity(_ count: Int) {
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
    @inlinable public var startIndex: Int { fields.startIndex }
    @inlinable public var endIndex: Int { fields.endIndex }
    @inlinable public subscript(position: Int) -> Field { fields[position] }
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

/// Returns whether a byte is allowed in a token, such as a method or a header's name.
///
/// Source: [RFC 9110, 5.6.2](https://www.rfc-editor.org/rfc/rfc9110#name-tokens).
package func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

/// The bytes of header fields as text, and back.
///
/// A value is text in UTF-8. If its bytes are not UTF-8 they are read as Latin-1, so that each keeps its value.
///
/// Source: [RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
package enum HeaderText {
    /// The fields with an entity tag, which is opaque: each byte is one character, even if the bytes are UTF-8, so that a tag is sent as it
    /// was received.
    private static let entityTags = ["ETag", "If-None-Match", "If-Match", "If-Range"]

    /// Returns the value of a received field.
    package static func value(_ bytes: UnsafeRawBufferPointer, of name: String) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        if isEntityTag(name) { return latin1(bytes) }
        return name.equalsIgnoringASCIICase("Location") ? location(bytes) : text(bytes)
    }

    /// Returns any bytes of a head as text.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Returns the line of an entity tag's field to be sent; returns `nil` for a field that is sent as text, in UTF-8.
    package static func opaqueLine(_ field: HTTPHeaders.Field) -> [UInt8]? {
        let scalars = field.value.unicodeScalars
        guard scalars.contains(where: { $0.value > 0x7F }), isEntityTag(field.name), scalars.allSatisfy({ $0.value <= 0xFF }) else {
            return nil
        }
        return "\(field.name): ".utf8 + scalars.map { UInt8($0.value) }
    }

    private static func isEntityTag(_ name: String) -> Bool { entityTags.contains(where: name.equalsIgnoringASCIICase) }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Converts the bytes of a URL, in which an escape stands for one byte, but a character stands for all bytes of its UTF-8.
    private static func location(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16, uppercase: true) }.joined()
    }
}
