public import Streams

/// Stores responses in memory and evicts the least recently used ones.
///
/// Thread-safe. Reading is O(1); storing is linear in the number of responses once the cache is full.
public final class MemoryResponseCache: ResponseCache {
    fileprivate struct State {
        var entries: [CachedResponse.Key: (response: CachedResponse, lastUse: Int)] = [:]
        var bytes = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: the maximum size of all responses in bytes, including headers. A longer response is not stored.
    public init(limit: Int = 32 * 1024 * 1024) {
        self.limit = limit
    }

    /// The size of all responses in bytes, including headers and overhead.
    public var bytes: Int { state.withLock { $0.bytes } }

    public func response(for key: CachedResponse.Key) -> Observable<CachedResponse?> {
        .deferred { [self] in .just(state.withLock { $0.use(key) }) }
    }

    public func store(_ response: CachedResponse, for key: CachedResponse.Key) -> Observable<Void> {
        .deferred { [self] in
            // Released outside the lock: freeing bodies takes time.
            let old = state.withLock { state in
                [state.remove(key)] + (response.cost <= limit ? state.insert(response, key, limit: limit) : [])
            }
            return withExtendedLifetime(old) { .just(()) }
        }
    }

    public func remove(_ key: CachedResponse.Key) -> Observable<Void> {
        .deferred { [self] in
            let old = state.withLock { $0.remove(key) }
            return withExtendedLifetime(old) { .just(()) }
        }
    }

    /// Removes all responses.
    public func removeAll() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        withExtendedLifetime(old) {}
    }
}

extension MemoryResponseCache.State {
    fileprivate mutating func use(_ key: CachedResponse.Key) -> CachedResponse? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.response
    }

    fileprivate mutating func remove(_ key: CachedResponse.Key) -> CachedResponse? {
        let old = entries.removeValue(forKey: key)?.response
        bytes -= old?.cost ?? 0
        return old
    }

    fileprivate mutating func insert(_ response: CachedResponse, _ key: CachedResponse.Key, limit: Int) -> [CachedResponse?] {
        var removed: [CachedResponse?] = []
        while bytes + response.cost > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            removed.append(remove(oldest))
        }
        uses += 1
        bytes += response.cost
        entries[key] = (response, uses)
        return removed
    }
}

extension CachedResponse {
    /// The memory of the response in bytes, with an overhead even without a body.
    fileprivate var cost: Int {
        let fields = headers.map { ($0.name, $0.value) } + variant.map { ($0.key, $0.value) }
        return body.count + fields.reduce(256) { $0 + $1.0.utf8.count + $1.1.utf8.count + 64 }
    }
}
