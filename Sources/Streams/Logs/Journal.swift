import Schedulers

/// The log of one context: its own messages, those of its operation's nodes, and the logs of the contexts that it was derived from.
///
/// It references upstream logs only, so there is no cycle, and a log may outlive its context.
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

    /// The number of terminated operations whose logs a context stores: one that runs operations indefinitely must not grow.
    private static let limit = 100

    private let parts = Lock<[Part]>([])
    private let mark = Resources.Mark("Journal")

    /// All messages in order; a log that is reached on several paths is included once, at its first position.
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

    /// The value in the scope of a subscription with which its nodes write to this log.
    func makeScope() -> Scope {
        let notes = LogJournal()
        parts.withLock { $0.append(.notes(notes)) }
        return Scope().setting(NodeLog.Key.self, to: notes)
    }

    /// Stores the log of a terminated upstream operation unless it is empty, and removes the oldest of such logs.
    func settle(_ upstream: Journal) {
        let isEmpty = upstream.isEmpty
        // Removed logs are returned from the lock and released outside of it (law 3).
        _ = parts.withLock { parts -> Part? in
            guard let index = parts.firstIndex(where: { $0.upstream === upstream && !$0.hasEnded }) else { return nil }
            guard !isEmpty else { return parts.remove(at: index) }
            parts[index] = .upstream(upstream, hasEnded: true)
            guard parts.count(where: \.hasEnded) > Self.limit, let oldest = parts.firstIndex(where: \.hasEnded) else { return nil }
            return parts.remove(at: oldest)
        }
    }

    /// Releases an upstream log: those of the steps of a context that polls by recursion would nest without bound.
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
