/// The elements that a replaying subject stores for later subscribers.
@usableFromInline
protocol ReplayBuffer<Element>: SendableMetatype {
    associatedtype Element: Sendable
    associatedtype Dropped
    associatedtype Snapshot: Sequence<Element>

    /// Stores `element` and returns the elements that it replaced, so that they can be released outside the lock (law 3).
    mutating func keep(_ element: Element, at now: Duration) -> Dropped

    /// Returns the elements for a new subscriber; `isStopped` is `true` after the terminal event.
    func snapshot(at now: Duration, isStopped: Bool) -> Snapshot
}

/// Stores no elements, for `share()`.
@usableFromInline
struct NoElements<Element: Sendable>: ReplayBuffer {
    #if THREAD_SANITIZER
        /// A placeholder: a property without size would have the address of its object, so an access to it would be reported as an access
        /// to the object.
        @usableFromInline let placeholder = false
    #endif

    @inlinable
    init() {}

    @inlinable
    func keep(_ element: Element, at now: Duration) {}

    @inlinable
    func snapshot(at now: Duration, isStopped: Bool) -> LatestSnapshot<Element> {
        LatestSnapshot(element: nil)
    }
}

/// Stores the latest element, for a `BehaviorSubject` or a relay.
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

/// Stores the latest elements (or the first ones, with `dropNewest`), limited by number and age, for a `ReplaySubject`.
@usableFromInline
struct RecentElements<Element: Sendable>: ReplayBuffer {
    /// The elements that another one has replaced: usually one, so no array is allocated for it.
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

    @usableFromInline var entries = ElementQueue<(element: Element, time: Duration)>()
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
        entries.append((element, now))
        while entries.count > limit || isOldestExpired(at: now), let oldest = entries.popFirst() { dropped.append(oldest.element) }
        return dropped
    }

    @inlinable
    func snapshot(at now: Duration, isStopped: Bool) -> RecentSnapshot<Element> {
        RecentSnapshot(entries: entries, notBefore: window.map { now - $0 })
    }

    @inlinable
    func isOldestExpired(at now: Duration) -> Bool {
        guard let window, let oldest = entries.first else { return false }
        return now - oldest.time > window
    }
}

/// The stored elements at one time. They are shared with the subject, which copies them if it changes them meanwhile.
@usableFromInline
struct RecentSnapshot<Element>: Sequence, IteratorProtocol {
    @usableFromInline let entries: ElementQueue<(element: Element, time: Duration)>
    /// The time before which an element has expired.
    @usableFromInline let limit: Duration?
    @usableFromInline var index = 0

    @inlinable
    init(entries: ElementQueue<(element: Element, time: Duration)>, notBefore limit: Duration?) {
        self.entries = entries
        self.limit = limit
    }

    @inlinable
    mutating func next() -> Element? {
        while index < entries.count {
            let (element, time) = entries[index]
            index += 1
            if let limit, time < limit { continue }
            return element
        }
        return nil
    }
}
