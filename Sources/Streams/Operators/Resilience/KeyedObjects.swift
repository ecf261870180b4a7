import Schedulers

/// Objects by keys of the user; each exists as long as it is used or kept. Thread-safe.
///
/// Keys are hashed, compared and released outside the lock (law 3): under it, entries are found by the hash of their keys, and recognized
/// by their identity.
@usableFromInline
final class KeyedObjects<Key: Hashable & Sendable, Object: Sendable>: @unchecked Sendable {
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

    /// The entries by the hash of their keys: almost always one for each hash. Law 3: accessed only under the lock, which is beside them: one
    /// around a type that depends on the key would be looked up at the end.
    @usableFromInline @safe @exclusivity(unchecked) var buckets: [Int: [Entry]] = [:]
    @usableFromInline let lock = Lock(())

    @inlinable
    init() {}

    /// Returns the entry of `key`, and counts a use of it; creates its object if there is none. Each use ends with `release(_:)`.
    @inlinable
    func use(_ key: Key, _ make: () -> Object) -> Entry {
        let hash = key.hashValue
        var fresh: Entry?
        while true {
            let bucket = lock.withLock { _ in buckets[hash] } ?? []
            if let entry = bucket.first(where: { $0.key == key }) {
                if use(entry) { return entry }
                continue
            }
            let entry = fresh ?? Entry(make(), key: key, hash: hash)
            fresh = entry
            let isAdded = lock.withLock { _ in
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
        lock.withLock { _ in
            guard entry.isLinked else { return false }
            entry.uses += 1
            return true
        }
    }

    /// Ends one use of an entry; the last one removes it.
    @inlinable
    func release(_ entry: Entry) {
        lock.withLock { _ in
            entry.uses -= 1
            if entry.uses == 0 { unlink(entry) }
        }
    }

    /// Removes the entry of `key`: its current users keep it, and later look-ups do not find it.
    func remove(_ key: Key) -> Entry? {
        let hash = key.hashValue
        guard let entry = lock.withLock({ _ in buckets[hash] })?.first(where: { $0.key == key }) else { return nil }
        lock.withLock { _ in unlink(entry) }
        return entry
    }

    /// Removes all entries.
    func removeAll() -> [Entry] {
        lock.withLock { _ in
            let removed = buckets.values.flatMap(\.self)
            for entry in removed { entry.isLinked = false }
            buckets = [:]
            return removed
        }
    }

    /// Removes an entry. The caller references it, so that it is not released under the lock, which the caller has.
    @inlinable
    func unlink(_ entry: Entry) {
        guard entry.isLinked else { return }
        entry.isLinked = false
        let others = buckets[entry.hash, default: []].filter { $0 !== entry }
        buckets[entry.hash] = others.isEmpty ? nil : others
    }
}
