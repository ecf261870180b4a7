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
        get { firstIndex(of: name).map { fields[$0].value } }
        set {
            let first = firstIndex(of: name)
            let spelling = first.map { fields[$0].name } ?? name
            removeAll(name)
            if let newValue { fields.insert(Field(name: spelling, value: newValue), at: first ?? fields.endIndex) }
        }
    }

    /// Returns the position of the first field of that name; a loop over the fields themselves would retain each.
    private func firstIndex(of name: String) -> Int? {
        fields.indices.first { fields[$0].name.equalsIgnoringASCIICase(name) }
    }

    /// Returns every value of the named field, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Returns the comma-separated members of every field of this name, in lower case and without the blanks around them.
    package func tokens(in name: String) -> [String] {
        var tokens: [String] = []
        forEachMember(of: name) { member in
            if !member.isEmpty { tokens.append(String(decoding: member, as: UTF8.self).lowercased()) }
        }
        return tokens
    }

    /// Returns whether a token is one of the comma-separated members of the fields of this name.
    ///
    /// - Parameter token: a token in lower case.
    package func hasToken(_ token: StaticString, in name: String) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        var hasToken = false
        forEachMember(of: name) { member in
            hasToken = hasToken || member.count == bytes.count && zip(member, bytes).allSatisfy { $0.asciiLowercased == $1 }
        }
        return hasToken
    }

    private func forEachMember(of name: String, _ act: (UnsafeRawBufferPointer) -> Void) {
        for field in fields where field.name.equalsIgnoringASCIICase(name) {
            var value = field.value
            value.withUTF8 { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                var start = 0
                while start <= bytes.count {
                    let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
                    act(bytes.part(start, end).withoutBlanks)
                    start = end + 1
                }
            }
        }
    }

    /// Appends a field, in addition to existing ones of this name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a field, in addition to existing ones of its name.
    mutating func append(_ field: Field) {
        fields.append(field)
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
