import Schedulers

/// Objects by the keys of a user, each for as long as it is used or kept. Thread-safe.
///
/// Keys are hashed, compared and released outside the lock (law 3): under it, entries are found by the hash of their keys, and recognized by
/// their identity.
final class KeyedObjects<Key: Hashable & Sendable, Object: Sendable>: Sendable {
    /// The object of a key.
    final class Entry: @unchecked Sendable {
        let object: Object
        fileprivate let key: Key
        fileprivate let hash: Int
        /// Law 3: accessed only under the lock, like the following.
        fileprivate var uses = 1
        fileprivate var isLinked = true

        fileprivate init(_ object: Object, key: Key, hash: Int) {
            (self.object, self.key, self.hash) = (object, key, hash)
        }
    }

    /// The entries by the hash of their keys: almost always one.
    private let buckets = Lock<[Int: [Entry]]>([:])

    /// Returns the entry of `key`, used once more; creates its object if there is none. `release(_:)` must be called once for it.
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

    /// Uses an entry once more, unless it has been removed.
    func use(_ entry: Entry) -> Bool {
        buckets.withLock { _ in
            guard entry.isLinked else { return false }
            entry.uses += 1
            return true
        }
    }

    /// Ends one use of an entry; the last one removes it.
    func release(_ entry: Entry) {
        buckets.withLock { buckets in
            entry.uses -= 1
            if entry.uses == 0 { Self.unlink(entry, from: &buckets) }
        }
    }

    /// Removes the entry of `key`: those who use it keep it, those who look for it later do not find it.
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

    /// The caller has the entry, so that it is not released under the lock.
    private static func unlink(_ entry: Entry, from buckets: inout [Int: [Entry]]) {
        guard entry.isLinked else { return }
        entry.isLinked = false
        let others = buckets[entry.hash, default: []].filter { $0 !== entry }
        buckets[entry.hash] = others.isEmpty ? nil : others
    }
}
