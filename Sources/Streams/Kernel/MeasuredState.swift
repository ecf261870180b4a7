import Schedulers

/// State that subscriptions on any threads share, with figures about it as a stream.
///
/// It changes under a lock, so that a decision is taken on the thread that asks for it: no subscriber waits for another one's source. Figures
/// are read when they are delivered, so that they are never older than the change that they tell of.
final class MeasuredState<State>: Sendable {
    /// The state apart from the relay, so that who subscribes to figures retains nothing else.
    private final class Storage: Sendable {
        let state: Lock<State>

        init(_ state: consuming sending State) {
            self.state = Lock(state)
        }
    }

    private let storage: Storage
    private let changes = BehaviorRelay(value: ())

    init(_ state: consuming sending State) {
        storage = Storage(state)
    }

    /// Changes the state, and emits its figures. `change` must not call user code, nor release a user's values (law 3).
    func update<Result>(_ change: (inout State) -> Result) -> Result {
        let result = storage.state.withLock { change(&$0) }
        changes.accept(())
        return result
    }

    /// Reads the state, with the same restrictions.
    func read<Result>(_ read: (inout State) -> Result) -> Result {
        storage.state.withLock { read(&$0) }
    }

    /// Emits the current figures, and then each change of them, on the thread of the change. Changes that occur while figures are being
    /// delivered are emitted as one.
    func figures<Figures: Equatable & Sendable>(_ read: @escaping @Sendable (inout State) -> Figures) -> Observable<Figures> {
        changes.map { [storage] _ in storage.state.withLock { read(&$0) } }.distinctUntilChanged()
    }
}
