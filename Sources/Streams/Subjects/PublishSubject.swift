/// A subject that emits each event to its current subscribers.
///
/// Events may arrive on any thread and from within its observers; they are serialized in the order in which they were accepted (law 2), so
/// `on` may return before its event was delivered. After a terminal event further events are ignored, and later subscribers receive the
/// terminal event. When the subject is deallocated its observers are released.
///
/// Source: [ReactiveX, Subject](https://reactivex.io/documentation/subject.html).
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let core = SubjectCore<Element>()

    /// Creates a subject without observers.
    public init() {}

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { core.hasObservers }

    @inlinable @inline(__always)
    public func on(_ event: Event<Element>) {
        core.on(event)
    }

    /// Emits an element without creating an event in between, unlike `on(.next(element))`, so that a sole subscriber receives it without a
    /// copy.
    @inlinable @inline(__always)
    public func onNext(_ element: consuming Element) {
        core.onNext(element)
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        let core = core
        return Observable { downstream, lifetime in core.add(downstream, lifetime) }
    }

    deinit {
        core.abandon()
    }
}
