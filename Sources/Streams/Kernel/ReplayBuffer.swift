/// What a replaying subject keeps for those who subscribe later.
@usableFromInline
protocol ReplayBuffer<Element>: Sendable {
    associatedtype Element: Sendable
    associatedtype Dropped
    associatedtype Snapshot: Sequence<Element>

    /// Whether `element` may follow what is kept.
    func admits(_ element: Element) -> Bool

    /// Keeps `element` and gives what it pushed out, so that it can be released after the lock is left (law 3).
    mutating func keep(_ element: Element, at now: Duration) -> Dropped

    /// What a subscriber gets first; `isStopped` after the terminal event.
    func snapshot(at now: Duration, isStopped: Bool) -> Snapshot
}

extension ReplayBuffer {
    @inlinable
    func admits(_ element: Element) -> Bool { true }
}

/// Keeps the latest element: a `BehaviorSubject`, a relay.
@usableFromInline
struct LatestElement<Element: Sendable>: ReplayBuffer {
    @usableFromInline var element: Element?

    @inlinable
    init(_ element: Element?) {
        self.element = element
    }

    @inlinable
    mutating func keep(_ element: Element, at now: Duration) -> Element? {
        let dropped = self.element
        self.element = element
        return dropped
    }

    @inlinable
    func snapshot(at now: Duration, isStopped: Bool) -> LatestSnapshot<Element> {
        LatestSnapshot(element: isStopped ? nil : element)
    }
}

/// One element or none, without an array.
@usableFromInline
struct LatestSnapshot<Element>: Sequence, IteratorProtocol {
    @usableFromInline var element: Element?

    @inlinable
    init(element: Element?) {
        self.element = element
    }

    @inlinable
    mutating func next() -> Element? {
        element.take()
    }
}

/// Keeps the latest elements (or the first ones, with `dropNewest`), at most so many and none older than so long: a `ReplaySubject`.
struct RecentElements<Element: Sendable>: ReplayBuffer {
    private struct Entry {
        let element: Element
        let time: Duration
    }

    /// What an element pushed out: one, as a rule, so no array is made for it.
    struct Dropped {
        fileprivate var first: Element?
        fileprivate var others: [Element] = []

        fileprivate mutating func append(_ element: Element) {
            guard first != nil else { return first = element }
            others.append(element)
        }
    }

    /// A queue: what was dropped leaves a hole at the front, and the holes go when they are half of it.
    private var entries: [Entry?] = []
    private var start = 0
    private let limit: Int
    private let window: Duration?
    private let keepsFirst: Bool

    init(limit: Int, window: Duration?, keepsFirst: Bool = false) {
        self.limit = limit
        self.window = window
        self.keepsFirst = keepsFirst
    }

    mutating func keep(_ element: Element, at now: Duration) -> Dropped {
        var dropped = Dropped()
        guard limit > 0, !keepsFirst || entries.count < limit else { return dropped }
        entries.append(Entry(element: element, time: now))
        while start < entries.count, let oldest = entries[start], entries.count - start > limit || isExpired(oldest, at: now) {
            dropped.append(oldest.element)
            entries[start] = nil
            start += 1
        }
        if start > 16, start * 2 > entries.count {
            entries.removeFirst(start)
            start = 0
        }
        return dropped
    }

    func snapshot(at now: Duration, isStopped: Bool) -> [Element] {
        entries[start...].compactMap { entry in
            guard let entry, !isExpired(entry, at: now) else { return nil }
            return entry.element
        }
    }

    private func isExpired(_ entry: Entry, at now: Duration) -> Bool {
        guard let window else { return false }
        return now - entry.time > window
    }
}
