/// Header fields in their order on the wire; names are case-insensitive.
///
/// A lookup is linear in the number of fields, of which a message has few.
/// Source: [RFC 9110, Fields](https://www.rfc-editor.org/rfc/rfc9110#name-fields).
public struct ServerHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Equatable {
        /// The name as written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields in order.
    public private(set) var fields: [Field] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of name and value pairs, in order; a name may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of this name. Setting it replaces every field of this name, setting `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Returns every value of this name, in order.
    public func values(for name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Appends a field and keeps those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The first field that must not be written: its name is not a token, or its name or value could end the line.
    var firstUnwritable: Field? {
        fields.first { field in
            field.name.isEmpty || !field.name.utf8.allSatisfy(\.isTokenCharacter)
                || !field.value.utf8.allSatisfy(\.isFieldValueCharacter)
        }
    }

    /// Returns the comma-separated members of every field of this name, in lower case.
    func tokens(in name: String) -> [String] {
        values(for: name)
            .flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
