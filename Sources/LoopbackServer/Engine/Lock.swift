import Synchronization

struct Lock<State: Sendable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>
    init(_ state: sending State) { mutex = Mutex(state) }
    func withLock<R>(_ body: (inout sending State) throws -> sending R) rethrows -> sending R { try mutex.withLock(body) }
}
