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
