/// An entrance that several sources of one operator share: upstreams, notifiers, timers.
@usableFromInline
final class Gate: Sendable {
    @usableFromInline let entrance = SerialEntrance()

    @inlinable
    init() {}

    /// An observer whose events come to `handle` one at a time with those of the gate's other observers, in the order of arrival.
    @inlinable
    func entering<Element: Sendable>(_ handle: @escaping @Sendable (Event<Element>) -> Void) -> AnyObserver<Element> {
        AnyObserver { [self] event in
            guard entrance.tryEnter() else { return entrance.enqueue { handle(event) } }
            handle(event)
            entrance.leave()
        }
    }

    /// Runs `action` at its turn.
    @inlinable
    func run(_ action: @escaping @Sendable () -> Void) {
        entrance.enqueue(action)
    }
}
