/// A subject that emits only its last element, when it completes; later subscribers receive it too. An error is forwarded immediately.
///
/// Source: [ReactiveX, Subject](https://reactivex.io/documentation/subject.html).
public final class AsyncSubject<Element: Sendable>: ObservableType, ObserverType {
    private let input = PublishSubject<Element>()
    private let output = ReplaySubject<Element>(bufferSize: 1)
    private let lifetime = Lifetime()

    /// Creates a subject without an element.
    public init() {
        input.takeLast(1).start(output.asObserver(), lifetime)
    }

    deinit { lifetime.dispose() }

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { output.hasObservers }

    public func on(_ event: Event<Element>) {
        input.on(event)
    }

    public func asObservable() -> Observable<Element> {
        output.asObservable()
    }
}
