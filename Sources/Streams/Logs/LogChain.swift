/// Log messages in the order of a chain of operations.
public struct LogChain: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The messages, the first one first.
    public private(set) var messages: [String]

    /// Makes a chain of `messages`.
    public init(_ messages: [String]) {
        self.messages = messages
    }

    public init(stringLiteral message: String) {
        self.init([message])
    }

    /// Adds the messages of `other` behind these.
    public mutating func append(_ other: LogChain) {
        messages += other.messages
    }

    /// The messages, one a line.
    public var description: String {
        messages.joined(separator: "\n")
    }
}
