import Schedulers

/// State and its lock, which is beside it: the types of a lock around a state that is not known here would be looked up at the end.
///
/// The state is a parameter of the class for the same reason: its deinitializer has the metadata at hand.
@usableFromInline
final class GuardedState<State>: @unchecked Sendable {
    /// Law 3: accessed only under the lock.
    @usableFromInline @safe @exclusivity(unchecked) var state: State
    @usableFromInline let lock = Lock(())

    @inlinable
    init(_ state: consuming sending State) {
        self.state = state
    }

    /// Calls `body`, which must neither call user code nor release values of the user (law 3), under the lock.
    @inlinable
    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { _ in body(&state) }
    }
}
