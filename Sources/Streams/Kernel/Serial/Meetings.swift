import Synchronization

/// Decides whether the next input that finds a serializer busy should wait briefly, by the inputs that found it busy before.
///
/// A serializer does not record which thread is inside, but the thread that drains it knows which thread queued an input: if it queued the
/// input itself, the input was re-entrant. After a re-entrant input no thread waits any more, since a thread inside would wait for itself.
/// Otherwise threads wait until one has waited in vain: the observer is slow then, and the next queued input shows whether it still is.
struct Meetings: ~Copyable, Sendable {
    private enum Kind {
        static let none: UInt8 = 0
        static let betweenThreads: UInt8 = 1
        static let reentrant: UInt8 = 2
    }

    /// The longest time that a thread waits, if the processor does not run other threads meanwhile.
    static let longestWait = Duration.microseconds(5)

    private let kind = Atomic<UInt8>(Kind.none)

    /// Whether all inputs that were noted since a thread last waited in vain came from other threads.
    var areBetweenThreads: Bool { kind.load(ordering: .relaxed) == Kind.betweenThreads }

    /// Notes an input that was queued. Called inside the serializer only.
    func note(isReentrant: Bool) {
        let known = kind.load(ordering: .relaxed)
        guard known != Kind.reentrant else { return }
        if isReentrant { return kind.store(Kind.reentrant, ordering: .relaxed) }
        if known == Kind.none { kind.store(Kind.betweenThreads, ordering: .relaxed) }
    }

    /// Notes that a thread waited and did not enter.
    func noteWaitInVain() {
        _ = kind.compareExchange(expected: Kind.betweenThreads, desired: Kind.none, ordering: .relaxed)
    }
}
