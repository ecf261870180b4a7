/// How much a log message matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    /// What helps to find a mistake.
    case debug
    /// What happens when all is well.
    case info
    /// What should not be but does no harm.
    case warning
    /// What makes the operation fail.
    case error

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    public var description: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// What one node notes about one operation. Control characters in the text are escaped; the nodes of this package put no secret into it.
public struct LogMessage: Sendable, Hashable, CustomStringConvertible {
    /// The node that notes it, by the name of its type without arguments.
    public let node: String
    /// How much it matters.
    public let level: LogLevel
    /// The message.
    public let text: String
    /// When, since the operation began.
    public let time: Duration

    public init(node: String, level: LogLevel, text: String, time: Duration = .zero) {
        self.node = node
        self.level = level
        self.text = text
        self.time = time
    }

    public var description: String { "[\(level)] \(node): \(text)" }
}

/// Which messages are kept.
public struct LogFilter: Sendable {
    private let keeps: @Sendable (_ node: String, LogLevel) -> Bool

    /// - Parameter keeps: asked before a message is made; called on any thread.
    public init(_ keeps: @escaping @Sendable (_ node: String, LogLevel) -> Bool) {
        self.keeps = keeps
    }

    /// All messages of this level and above.
    public static func from(_ level: LogLevel) -> LogFilter {
        LogFilter { $1 >= level }
    }

    /// All messages of these nodes.
    public static func only(_ nodes: Set<String>, from level: LogLevel = .debug) -> LogFilter {
        LogFilter { nodes.contains($0) && $1 >= level }
    }

    /// All messages but those of these nodes.
    public static func except(_ nodes: Set<String>, from level: LogLevel = .debug) -> LogFilter {
        LogFilter { !nodes.contains($0) && $1 >= level }
    }

    func passes(_ node: String, _ level: LogLevel) -> Bool { keeps(node, level) }
}
