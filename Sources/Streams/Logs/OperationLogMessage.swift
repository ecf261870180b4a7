extension OperationLog {
    /// The severity of a log message.
    public enum Level: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
        /// Details for debugging.
        case debug
        /// Normal events.
        case info
        /// A problem that does not affect the operation.
        case warning
        /// The reason why the operation fails.
        case error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        public var description: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// A message of a node about an operation. Control characters are escaped; the nodes of this package include no secrets.
    public struct Message: Sendable, Hashable, CustomStringConvertible {
        /// The name of the node's type, without generic arguments.
        public let node: String
        /// The severity.
        public let level: Level
        /// The message.
        public let text: String
        /// The time since the operation started.
        public let time: Duration

        /// Creates a message.
        public init(node: String, level: Level, text: String, time: Duration = .zero) {
            self.node = node
            self.level = level
            self.text = text
            self.time = time
        }

        public var description: String { "[\(level)] \(node): \(text)" }
    }

    /// A predicate for the messages that are kept.
    public struct Filter: Sendable {
        private let keeps: @Sendable (_ node: String, Level) -> Bool

        /// - Parameter keeps: called before a message is created, on any thread.
        public init(_ keeps: @escaping @Sendable (_ node: String, Level) -> Bool) {
            self.keeps = keeps
        }

        /// Keeps the messages of this level and above.
        public static func from(_ level: Level) -> Filter {
            Filter { $1 >= level }
        }

        /// Keeps the messages of these nodes.
        public static func only(_ nodes: Set<String>, from level: Level = .debug) -> Filter {
            Filter { nodes.contains($0) && $1 >= level }
        }

        /// Keeps all messages except those of these nodes.
        public static func except(_ nodes: Set<String>, from level: Level = .debug) -> Filter {
            Filter { !nodes.contains($0) && $1 >= level }
        }

        func passes(_ node: String, _ level: Level) -> Bool { keeps(node, level) }
    }

    /// Log messages in the order of a chain of operations.
    public struct Chain: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
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
        public mutating func append(_ other: Chain) {
            messages += other.messages
        }

        /// The messages, one per line.
        public var description: String {
            messages.joined(separator: "\n")
        }
    }
}
