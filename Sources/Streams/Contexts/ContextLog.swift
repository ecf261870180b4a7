import Schedulers

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

extension Observer {
    /// The messages of the operations that led here, each operation's before those of what follows it; nil if there are none.
    ///
    /// Usable from any thread; takes time in proportion to the messages. A context that polls by recursion has the messages of its
    /// last steps: those behind it are released with their contexts.
    public final var log: LogChain? {
        guard let messages = state.withLock({ $0.journal })?.messages, !messages.isEmpty else { return nil }
        return LogChain(messages)
    }

    /// Adds messages to the log of this context, and so to the log of everything derived of it. Nil adds nothing and loses nothing.
    @discardableResult public final func log(_ chain: LogChain?) -> Self {
        guard let chain, !chain.messages.isEmpty else { return self }
        journal.add(chain)
        return self
    }

    /// Adds a message to the log of this context.
    @discardableResult public final func log(_ message: String) -> Self {
        log(LogChain([message]))
    }

    /// The log of this context; made when somebody asks for it.
    final var journal: Journal {
        state.withLock { state in
            let journal = state.journal ?? Journal()
            state.journal = journal
            return journal
        }
    }
}

/// The log of one context: its own messages, and the logs of the contexts that it was derived of.
///
/// It refers to logs upstream only, so there is no cycle, and a log outlives its context for as long as somebody may read it.
@usableFromInline final class Journal: Sendable {
    private enum Part {
        case own(LogChain)
        case upstream(Journal)
    }

    private let parts = Lock<[Part]>([])
    private let mark = Resources.Mark("Journal")

    /// Everything in order; what is reached on several ways comes once, where it comes first.
    var messages: [String] {
        var messages: [String] = []
        var visited: Set<ObjectIdentifier> = []
        collect(into: &messages, &visited)
        return messages
    }

    func add(_ chain: LogChain) {
        parts.withLock { $0.append(.own(chain)) }
    }

    func add(_ upstream: Journal) {
        parts.withLock { $0.append(.upstream(upstream)) }
    }

    /// Lets an upstream log go that has nothing in it, so that a long-lived context does not grow.
    func removeIfEmpty(_ upstream: Journal) {
        if upstream.isEmpty { remove(upstream) }
    }

    /// Releases an upstream log: the logs of the steps behind a context that polls by recursion would nest without end.
    func remove(_ upstream: Journal) {
        parts.withLock { parts in
            parts.removeAll { if case .upstream(let journal) = $0 { journal === upstream } else { false } }
        }
    }

    private var isEmpty: Bool {
        parts.withLock { $0.isEmpty }
    }

    private func collect(into messages: inout [String], _ visited: inout Set<ObjectIdentifier>) {
        guard visited.insert(ObjectIdentifier(self)).inserted else { return }
        for part in parts.withLock({ $0 }) {
            switch part {
            case .own(let chain): messages += chain.messages
            case .upstream(let journal): journal.collect(into: &messages, &visited)
            }
        }
    }
}
