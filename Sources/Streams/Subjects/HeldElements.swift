/// What a replaying subject keeps for those who subscribe later.
@usableFromInline
protocol HeldElements<Element>: Sendable {
    associatedtype Element: Sendable
    associatedtype Dropped

    /// Keeps `element` and gives what it pushed out, so that it can be released after the lock is left (law 3).
    mutating func keep(_ element: Element, at now: Duration) -> Dropped

    /// What a subscriber gets first; `isStopped` after the terminal event.
    func snapshot(at now: Duration, isStopped: Bool) -> [Element]
}

/// Keeps the latest element: a `BehaviorSubject`, a relay, a context.
@usableFromInline
struct LatestElement<Element: Sendable>: HeldElements {
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
    func snapshot(at now: Duration, isStopped: Bool) -> [Element] {
        guard !isStopped, let element else { return [] }
        return [element]
    }
}

/// Keeps the latest elements, at most so many and none older than so long: a `ReplaySubject`.
struct RecentElements<Element: Sendable>: HeldElements {
    private struct Entry {
        let element: Element
        let time: Duration
    }

    private var entries: [Entry] = []
    private var start = 0
    private let limit: Int
    private let window: Duration?

    init(limit: Int, window: Duration?) {
        self.limit = limit
        self.window = window
    }

    mutating func keep(_ element: Element, at now: Duration) -> [Element] {
        guard limit > 0 else { return [] }
        entries.append(Entry(element: element, time: now))
        var first = max(start, entries.count - limit)
        while first < entries.count, isExpired(entries[first], at: now) { first += 1 }
        start = first
        // Moves the rest down only when half of the array is dead, so that keeping takes constant time on average.
        guard start > 16, start * 2 > entries.count else { return [] }
        let dropped = entries[..<start].map(\.element)
        entries.removeFirst(start)
        start = 0
        return dropped
    }

    func snapshot(at now: Duration, isStopped: Bool) -> [Element] {
        entries[start...].drop { isExpired($0, at: now) }.map(\.element)
    }

    private func isExpired(_ entry: Entry, at now: Duration) -> Bool {
        guard let window else { return false }
        return now - entry.time > window
    }
}
