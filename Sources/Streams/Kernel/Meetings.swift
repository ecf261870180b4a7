import Synchronization

/// What inputs that found a serializer busy had met, and so whether the next one is to wait for a moment.
///
/// Nobody knows who is inside a serializer, but the thread that drains it knows who queued: an input of its own was re-entrant. From then on
/// nobody waits any more, since a thread inside would wait for itself. Otherwise it pays to wait until somebody did so in vain: the observer
/// is slow then, and the next to be queued will show whether it still is.
struct Meetings: ~Copyable, Sendable {
    private enum Kind {
        static let none: UInt8 = 0
        static let betweenThreads: UInt8 = 1
        static let reentrant: UInt8 = 2
    }

    /// A thread that waits is held up for no longer, but for what else the processor has to do.
    static let longestWait = Duration.microseconds(5)

    private let kind = Atomic<UInt8>(Kind.none)

    /// Whether all that were noted since somebody waited in vain were between threads.
    var areBetweenThreads: Bool { kind.load(ordering: .relaxed) == Kind.betweenThreads }

    /// Notes an input that was queued. Inside the serializer only.
    func note(isReentrant: Bool) {
        let known = kind.load(ordering: .relaxed)
        guard known != Kind.reentrant else { return }
        if isReentrant { return kind.store(Kind.reentrant, ordering: .relaxed) }
        if known == Kind.none { kind.store(Kind.betweenThreads, ordering: .relaxed) }
    }

    /// Notes that somebody waited and did not enter.
    func noteWaitInVain() {
        _ = kind.compareExchange(expected: Kind.betweenThreads, desired: Kind.none, ordering: .relaxed)
    }
}
