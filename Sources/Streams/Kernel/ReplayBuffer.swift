/// The elements that a replaying subject stores for later subscribers.
@usableFromInline
protocol ReplayBuffer<Element>: Sendable {
    associatedtype Element: Sendable
    associatedtype Dropped
    associatedtype Snapshot: Sequence<Element>

    /// Stores `element` and returns the elements that it replaced, so that they can be released outside the lock (law 3).
    mutating func keep(_ element: Element, at now: Duration) -> Dropped

    /// Returns the elements for a new subscriber; `isStopped` after the terminal event.
    func snapshot(at now: Duration, isStopped: Bool) -> Snapshot
}

/// Stores nothing: `share()`.
@usableFromInline
struct NoElements<Element: Sendable>: ReplayBuffer {
    @inlinable
    init() {}

    @inlinable
    func keep(_ element: Element, at now: Duration) {}

    @inlinable
    func snapshot(at now: Duration, isStopped: Bool) -> LatestSnapshot<Element> {
        LatestSnapshot(element: nil)
    }
}

/// Stores the latest element: a `BehaviorSubject`, a relay.
@usableFromInline
struct LatestElement<Element: Sendable>: ReplayBuffer {
    @usableFromInline var element: Element?

    @inlinable
    init(_ element: Element?) {
        self.element = element
    }

    @inlinable
    mutating func keep(_ element: Element, at now: Duration) -> Element? {
        let dropped = self.element.take()
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

/// Stores the latest elements (or the first ones, with `dropNewest`), limited by number and age: a `ReplaySubject`.
@usableFromInline
struct RecentElements<Element: Sendable>: ReplayBuffer {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let element: Element
        @usableFromInline let time: Duration

        @inlinable
        init(_ element: Element, at time: Duration) {
            self.element = element
            self.time = time
        }
    }

    /// The elements replaced by another: usually one, so that no array is allocated for it.
    @usableFromInline
    struct Dropped {
        @usableFromInline var first: Element?
        @usableFromInline var others: [Element] = []

        @inlinable
        init() {}

        @inlinable
        mutating func append(_ element: Element) {
            guard first != nil else { return first = element }
            others.append(element)
        }
    }

    /// A queue: removed elements leave holes at the front, which are removed when they are half of it.
    @usableFromInline var entries: [Entry?] = []
    @usableFromInline var start = 0
    @usableFromInline let limit: Int
    @usableFromInline let window: Duration?
    @usableFromInline let keepsFirst: Bool

    @inlinable
    init(limit: Int, window: Duration?, keepsFirst: Bool = false) {
        self.limit = limit
        self.window = window
        self.keepsFirst = keepsFirst
    }

    @inlinable
    mutating func keep(_ element: Element, at now: Duration) -> Dropped {
        var dropped = Dropped()
        guard limit > 0, !keepsFirst || entries.count < limit else { return dropped }
        entries.append(Entry(element, at: now))
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

    @inlinable
    func snapshot(at now: Duration, isStopped: Bool) -> [Element] {
        entries[start...].compactMap { entry in
            guard let entry, !isExpired(entry, at: now) else { return nil }
            return entry.element
        }
    }

    @inlinable
    func isExpired(_ entry: Entry, at now: Duration) -> Bool {
        guard let window else { return false }
        return now - entry.time > window
    }
}
