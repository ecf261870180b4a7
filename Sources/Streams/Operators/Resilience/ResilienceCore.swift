import Schedulers

/// Objects by keys of the user; each exists as long as it is used or kept. Thread-safe.
///
/// Keys are hashed, compared and released outside the lock (law 3): under it, entries are found by the hash of their keys, and recognized
/// by their identity.
@usableFromInline
final class KeyedObjects<Key: Hashable & Sendable, Object: Sendable>: Sendable {
    /// The object of a key.
    @usableFromInline
    final class Entry: @unchecked Sendable {
        @usableFromInline let object: Object
        @usableFromInline let key: Key
        @usableFromInline let hash: Int
        /// Law 3: accessed only under the lock, as are the properties below.
        @usableFromInline var uses = 1
        @usableFromInline var isLinked = true

        @inlinable
        init(_ object: Object, key: Key, hash: Int) {
            (self.object, self.key, self.hash) = (object, key, hash)
        }
    }

    /// The entries by the hash of their keys: almost always one for each hash.
    @usableFromInline let buckets = Lock<[Int: [Entry]]>([:])

    @inlinable
    init() {}

    /// Returns the entry of `key`, and counts a use of it; creates its object if there is none. Each use ends with `release(_:)`.
    @inlinable
    func use(_ key: Key, _ make: () -> Object) -> Entry {
        let hash = key.hashValue
        var fresh: Entry?
        while true {
            let bucket = buckets.withLock { $0[hash] } ?? []
            if let entry = bucket.first(where: { $0.key == key }) {
                if use(entry) { return entry }
                continue
            }
            let entry = fresh ?? Entry(make(), key: key, hash: hash)
            fresh = entry
            let isAdded = buckets.withLock { buckets in
                guard buckets[hash, default: []].elementsEqual(bucket, by: ===) else { return false }
                buckets[hash] = bucket + [entry]
                return true
            }
            if isAdded { return entry }
        }
    }

    /// Counts another use of an entry, unless it has been removed.
    @inlinable
    func use(_ entry: Entry) -> Bool {
        buckets.withLock { _ in
            guard entry.isLinked else { return false }
            entry.uses += 1
            return true
        }
    }

    /// Ends one use of an entry; the last one removes it.
    @inlinable
    func release(_ entry: Entry) {
        buckets.withLock { buckets in
            entry.uses -= 1
            if entry.uses == 0 { Self.unlink(entry, from: &buckets) }
        }
    }

    /// Removes the entry of `key`: its current users keep it, and later look-ups do not find it.
    func remove(_ key: Key) -> Entry? {
        let hash = key.hashValue
        guard let entry = buckets.withLock({ $0[hash] })?.first(where: { $0.key == key }) else { return nil }
        buckets.withLock { Self.unlink(entry, from: &$0) }
        return entry
    }

    /// Removes all entries.
    func removeAll() -> [Entry] {
        buckets.withLock { buckets in
            let removed = buckets.values.flatMap(\.self)
            for entry in removed { entry.isLinked = false }
            buckets = [:]
            return removed
        }
    }

    /// Removes an entry. The caller references it, so that it is not released under the lock.
    @inlinable
    static func unlink(_ entry: Entry, from buckets: inout [Int: [Entry]]) {
        guard entry.isLinked else { return }
        entry.isLinked = false
        let others = buckets[entry.hash, default: []].filter { $0 !== entry }
        buckets[entry.hash] = others.isEmpty ? nil : others
    }
}

/// State that subscriptions on any threads share, with figures about it as a stream.
///
/// It changes under a lock, so that each thread gets its decision at once and no subscriber waits for the source of another. Figures are
/// read when they are delivered, so that they are never older than the change that they report.
@usableFromInline
final class MeasuredState<State>: Sendable {
    /// The state without the relay, so that a subscriber to the figures retains nothing else.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        /// Law 3: accessed only under the lock, which is beside it: one around a type that is not known here would be looked up at the end.
        @usableFromInline @safe @exclusivity(unchecked) var state: State
        @usableFromInline let lock = Lock(())

        @inlinable
        init(_ state: consuming sending State) {
            self.state = state
        }

        @inlinable
        func withState<Result>(_ body: (inout State) -> Result) -> Result {
            lock.withLock { _ in body(&state) }
        }
    }

    @usableFromInline let storage: Storage
    @usableFromInline let changes = BehaviorRelay(value: ())

    @inlinable
    init(_ state: consuming sending State) {
        storage = Storage(state)
    }

    /// Changes the state, and emits its figures. `change` must neither call user code nor release values of the user (law 3).
    @inlinable
    func update<Result>(_ change: (inout State) -> Result) -> Result {
        let result = storage.withState { change(&$0) }
        changes.accept(())
        return result
    }

    /// Reads the state. The same restrictions apply to `read`.
    @inlinable
    func read<Result>(_ read: (inout State) -> Result) -> Result {
        storage.withState { read(&$0) }
    }

    /// Emits the current figures, and then each change of them, on the thread of the change. Changes that occur while figures are being
    /// delivered are emitted as one.
    func figures<Figures: Equatable & Sendable>(_ read: @escaping @Sendable (inout State) -> Figures) -> Observable<Figures> {
        changes.map { [storage] _ in storage.withState { read(&$0) } }.distinctUntilChanged()
    }
}

/// The latest element of a stream and the time of its emission. Thread-safe: elements are released outside the lock (law 3).
@usableFromInline
final class StoredElement<Element: Sendable>: Sendable {
    @usableFromInline let state = Lock<(element: Element, time: Duration)?>(nil)

    @inlinable
    init() {}

    /// The time at which the element was emitted; `nil` if there is none.
    @inlinable
    var time: Duration? { state.withLock { $0?.time } }

    @inlinable
    func element(youngerThan limit: Duration, at now: Duration) -> Element? {
        state.withLock { stored in
            guard let stored, now - stored.time < limit else { return nil }
            return stored.element
        }
    }

    @inlinable
    func store(_ element: Element, at now: Duration) {
        exchange((element, now))
    }

    @inlinable
    func clear() {
        exchange(nil)
    }

    @inlinable
    func exchange(_ next: (element: Element, time: Duration)?) {
        _ = state.withLock { stored in
            defer { stored = next }
            return stored
        }
    }
}
