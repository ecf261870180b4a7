/// A serializer that several sources of one operator share: upstreams, notifiers, timers.
@usableFromInline
final class SharedSerializer: Sendable {
    @usableFromInline let serializer = Serializer()

    @inlinable
    init() {}

    /// An observer whose events come to `handle` one at a time with those of the gate's other observers, in the order of arrival.
    @inlinable
    func entering<Element: Sendable>(_ handle: @escaping @Sendable (Event<Element>) -> Void) -> AnyObserver<Element> {
        AnyObserver { [self] event in
            guard serializer.tryEnter() else { return serializer.enqueue { handle(event) } }
            handle(event)
            serializer.leave()
        }
    }

    /// Runs `action` at its turn.
    @inlinable
    func run(_ action: @escaping @Sendable () -> Void) {
        serializer.enqueue(action)
    }
}
