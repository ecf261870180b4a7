/// A `ReplaySubject` that never terminates.
public final class ReplayRelay<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let subject: ReplaySubject<Element>

    /// Creates a relay that replays the last `count` elements.
    @inlinable
    public init(bufferSize count: Int) {
        subject = ReplaySubject(bufferSize: count)
    }

    /// Emits `element` to current and later subscribers.
    @inlinable
    public func accept(_ element: Element) {
        subject.onNext(element)
    }

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { subject.hasObservers }

    @inlinable
    public func on(_ event: Event<Element>) {
        event.relayed { accept($0) }
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        subject.asObservable()
    }
}
