internal import Bytes

/// The headers of a message: names with values, in their order. Names are case-sensitive, and one may occur several times.
///
/// Source: [NATS, ADR-4](https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-4.md).
public struct NATSHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One header.
    public struct Field: Sendable, Equatable {
        /// The name, as it was written.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The headers in their order.
    public var fields: [Field] { list ?? [] }
    /// `nil` instead of an empty array: most messages have no headers, and then nothing is retained and released.
    private var list: [Field]?
    /// The number in a server's own answer, such as 503 for a request without responders.
    var status: Int?
    /// The words in a server's own answer.
    var statusText = ""

    /// Creates headers without fields.
    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        list = elements.isEmpty ? nil : elements.map { Field($0, $1) }
    }

    /// Whether there are no headers.
    public var isEmpty: Bool { list == nil && status == nil }

    /// The first value of a name; setting it replaces all values, and `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            let others = fields.filter { $0.name != name }
            list = others.isEmpty ? nil : others
            if let newValue { add(name, newValue) }
        }
    }

    /// Returns all values of a name, in their order.
    public func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a value to those that the name already has.
    public mutating func add(_ name: String, _ value: String) {
        var fields = list.take() ?? []
        fields.append(Field(name, value))
        list = fields
    }
}

extension NATSHeaders {
    private static let version = "NATS/1.0"

    /// Parses the bytes of a header block one by one: a colon with an accent after it may be one `Character`.
    init(parsing bytes: UnsafeRawBufferPointer) throws(NATSError.ProtocolViolation) {
        guard bytes.starts(with: Self.version.utf8) else {
            throw .malformedHeaders(reason: "they do not begin with \(Self.version)")
        }
        var start = Self.version.utf8.count
        guard bytes.count >= start + 4, bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) else {
            throw .malformedHeaders(reason: "they do not end with an empty line")
        }
        var end = bytes.lineBreak(from: start)
        try parseStatus(bytes.part(start, end))
        while end + 4 < bytes.count {
            start = end + 2
            end = bytes.lineBreak(from: start)
            let line = bytes.part(start, end)
            guard let colon = line.firstIndex(of: 0x3A), colon > 0 else { throw .malformedHeaders(reason: "a line has no name") }
            add(line.part(0, colon).text, line.part(colon + 1, line.count).withoutBlanks.text)
        }
    }

    private mutating func parseStatus(_ line: UnsafeRawBufferPointer) throws(NATSError.ProtocolViolation) {
        let words = line.withoutBlanks
        guard !words.isEmpty else { return }
        guard words.count >= 3, words.prefix(3).allSatisfy(\.isDigit) else {
            throw .malformedHeaders(reason: "the status is no number")
        }
        status = words.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        statusText = words.part(3, words.count).withoutBlanks.text
    }

    /// Returns the header block, as it is sent.
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

extension UnsafeRawBufferPointer {
    /// Returns the position of the next line break; the last bytes must be one.
    fileprivate func lineBreak(from start: Int) -> Int {
        var position = start
        while !(self[position] == 0x0D && self[position + 1] == 0x0A) { position += 1 }
        return position
    }

    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
