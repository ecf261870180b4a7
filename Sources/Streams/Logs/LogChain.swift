/// Log messages in the order of a chain of operations.
public struct LogChain: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The messages, the earliest first.
    public private(set) var messages: [String]

    /// Creates a chain of `messages`.
    public init(_ messages: [String]) {
        self.messages = messages
    }

    public init(stringLiteral message: String) {
        self.init([message])
    }

    /// Appends the messages of `other`.
    public mutating func append(_ other: LogChain) {
        messages += other.messages
    }

    /// The messages, one per line.
    public var description: String {
        messages.joined(separator: "\n")
    }
}
