/// A subject that hands each event on to those who are subscribed at its turn.
///
/// Events may come from any thread and from inside its observers; they are delivered one at a time in the order in which they were
/// accepted (law 2), so `on` may return before its event was delivered. After a terminal event it is deaf, and later subscribers get
/// that event. When the last reference to the subject is gone nobody can send any more, and its observers are let go.
///
/// Source: [ReactiveX, Subject](https://reactivex.io/documentation/subject.html).
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let core = SubjectCore<Element>()

    /// Makes a subject without observers.
    public init() {}

    @inlinable @inline(__always)
    public func on(_ event: Event<Element>) {
        core.on(event)
    }

    public func asObservable() -> Observable<Element> {
        let core = core
        return Observable { downstream, lifetime in core.add(downstream, lifetime) }
    }

    deinit {
        core.abandon()
    }
}
