import Schedulers

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
