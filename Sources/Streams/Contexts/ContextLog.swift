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
    /// Those are what the nodes of a request noted, with secrets redacted (``Node/process(_:)``, `asContext()`), and what `log(_:)` adds. It
    /// can be read at any time: the whole is there when the outcome is. Of what one operation notes the first 1,000 messages are kept, and a
    /// line says how many more there were; of operations that a context ran one after another (attempts of a `retry`, what each new outcome
    /// started) the last 100; of a context that polls by recursion, the last steps.
    ///
    /// Usable from any thread; takes time in proportion to the messages.
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

    /// Calls `observe` with this context at each outcome, before that goes on; at once if one is stored. For logging.
    ///
    /// ```swift
    /// node.process().process { print($0.log) }
    /// ```
    ///
    /// A cancel is an outcome, also one that comes from what was derived. Called where this context delivers.
    @discardableResult public final func process(_ observe: @escaping @Sendable (Observer<Model>) -> Void) -> Observer<Model> {
        _ = outcomes.subscribe(onNext: { [weak self, journal] outcome in
            observe(self ?? .ended(with: outcome, journal))
        })
        let again = recipe.map { recipe in { @Sendable in recipe().process(observe) } }
        return Observer().run(again: again) { operation in events(for: operation) }
    }

    /// Stands for a context that nobody holds any more when its outcome is delivered on a queue.
    private static func ended(with outcome: Outcome<Model>, _ journal: Journal) -> Observer {
        let context = Observer()
        context.state.withLock { $0.journal = journal }
        context.accept(outcome)
        return context
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

/// The log of one context: its own messages, what the nodes of its operation note, and the logs of the contexts that it was derived of.
///
/// It refers to logs upstream only, so there is no cycle, and a log outlives its context for as long as somebody may read it.
@usableFromInline final class Journal: Sendable {
    private enum Part {
        case own(LogChain)
        case notes(LogJournal)
        case upstream(Journal, hasEnded: Bool)

        var upstream: Journal? {
            if case .upstream(let journal, _) = self { journal } else { nil }
        }

        var hasEnded: Bool {
            if case .upstream(_, true) = self { true } else { false }
        }
    }

    /// How many operations that have ended a context remembers: one that runs them without end must not grow.
    private static let limit = 100

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
        parts.withLock { $0.append(.upstream(upstream, hasEnded: false)) }
    }

    /// What a subscription carries for its nodes to note here.
    func makeScope() -> Scope {
        let notes = LogJournal()
        parts.withLock { $0.append(.notes(notes)) }
        return Scope().setting(NodeLog.Key.self, to: notes)
    }

    /// Keeps the log of an upstream operation that has ended, if there is something in it, and lets the oldest of such logs go.
    func settle(_ upstream: Journal) {
        let isEmpty = upstream.isEmpty
        // What is released is handed out of the lock, to be released there (law 3).
        _ = parts.withLock { parts -> Part? in
            guard let index = parts.firstIndex(where: { $0.upstream === upstream && !$0.hasEnded }) else { return nil }
            guard !isEmpty else { return parts.remove(at: index) }
            parts[index] = .upstream(upstream, hasEnded: true)
            guard parts.count(where: \.hasEnded) > Self.limit, let oldest = parts.firstIndex(where: \.hasEnded) else { return nil }
            return parts.remove(at: oldest)
        }
    }

    /// Releases an upstream log: the logs of the steps behind a context that polls by recursion would nest without end.
    func remove(_ upstream: Journal) {
        parts.withLock { parts in parts.removeAll { $0.upstream === upstream } }
    }

    private var isEmpty: Bool {
        parts.withLock { $0 }.allSatisfy { part in
            if case .notes(let notes) = part { notes.isEmpty } else { false }
        }
    }

    private func collect(into messages: inout [String], _ visited: inout Set<ObjectIdentifier>) {
        guard visited.insert(ObjectIdentifier(self)).inserted else { return }
        for part in parts.withLock({ $0 }) {
            switch part {
            case .own(let chain): messages += chain.messages
            case .notes(let notes): messages += notes.descriptions
            case .upstream(let journal, _): journal.collect(into: &messages, &visited)
            }
        }
    }
}
