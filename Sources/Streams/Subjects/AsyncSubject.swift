/// A subject that emits only its last element, when it completes; later subscribers receive it too. An error is forwarded immediately.
///
/// Source: [ReactiveX, Subject](https://reactivex.io/documentation/subject.html).
public final class AsyncSubject<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let input = PublishSubject<Element>()
    @usableFromInline let output = ReplaySubject<Element>(bufferSize: 1)
    @usableFromInline let lifetime = Lifetime()

    /// Creates a subject without an element.
    @inlinable
    public init() {
        input.takeLast(1).start(output.asObserver(), lifetime)
    }

    deinit { lifetime.dispose() }

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { output.hasObservers }

    @inlinable
    public func on(_ event: Event<Element>) {
        input.on(event)
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        output.asObservable()
    }
}
