/// The headers of a message: names with values, in their order. Names are case-sensitive, and one may occur several times.
///
/// Source: [NATS, ADR-4](https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-4.md).
public struct NATSHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One header.
    public struct Field: Sendable, Equatable {
        /// Its name, as it was written.
        public var name: String
        /// Its value.
        public var value: String

        /// Creates a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// In their order.
    public private(set) var fields: [Field] = []
    /// What a server's own answer says in a number, such as 503 for a request without responders.
    var status: Int?
    /// What it says in words.
    var statusText = ""

    /// Creates headers without fields.
    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0, $1) }
    }

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty && status == nil }

    /// The first value of a name; setting replaces all of them, and `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of a name, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a value, besides those that the name has.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }
}

extension NATSHeaders {
    private static let version = "NATS/1.0"

    /// Parses the bytes of a header block.
    init(parsing bytes: UnsafeRawBufferPointer) throws(NATSProtocolError) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix(Self.version) else {
            throw .malformedHeaders(reason: "they do not begin with \(Self.version)")
        }
        guard lines.count >= 3, lines.suffix(2).allSatisfy(\.isEmpty) else {
            throw .malformedHeaders(reason: "they do not end with an empty line")
        }
        try parseStatus(first.dropFirst(Self.version.count))
        for line in lines.dropFirst().dropLast(2) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw .malformedHeaders(reason: "a line has no name")
            }
            add(String(line[..<colon]), line[line.index(after: colon)...].trimmingBlanks)
        }
    }

    private mutating func parseStatus(_ text: Substring) throws(NATSProtocolError) {
        let text = text.drop { $0 == " " }
        guard !text.isEmpty else { return }
        let digits = text.prefix(3)
        guard digits.count == 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(digits) else {
            throw .malformedHeaders(reason: "the status is no number")
        }
        self.status = status
        statusText = text.dropFirst(3).trimmingBlanks
    }

    /// The header block, as it is sent.
    ///
    /// - Throws: ``NATSError/invalidHeader(name:reason:)`` for a name or a value that would end its line.
    func encoded() throws(NATSError) -> [UInt8] {
        var bytes = Array("\(Self.version)\r\n".utf8)
        for field in fields {
            guard !field.name.isEmpty else { throw .invalidHeader(name: "", reason: "it has no name") }
            guard field.name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }) else {
                throw .invalidHeader(name: field.name.printableBeginning, reason: "its name has a blank, a colon or a control character")
            }
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else {
                throw .invalidHeader(name: field.name, reason: "its value has a line break")
            }
            bytes += field.name.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
            bytes += "\r\n".utf8
        }
        return bytes + "\r\n".utf8
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(start[...end])
    }
}
