/// State that subscriptions on any threads share, with figures about it as a stream.
///
/// It changes under a lock, so that each thread gets its decision at once and no subscriber waits for the source of another. Figures are
/// read when they are delivered, so that they are never older than the change that they report.
@usableFromInline
final class MeasuredState<State>: Sendable {
    /// The state without the relay, so that a subscriber to the figures retains nothing else.
    @usableFromInline let storage: GuardedState<State>
    @usableFromInline let changes = BehaviorRelay(value: ())

    @inlinable
    init(_ state: consuming sending State) {
        storage = GuardedState(state)
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
