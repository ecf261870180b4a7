/// A subject that always has a value: a new subscriber receives the latest element before `subscribe` returns.
///
/// `value` is the last element that was *accepted*, on any thread and from within an observer. After a terminal event subscribers receive
/// only that event. Events are serialized (law 2), as with every subject.
///
/// Source: [ReactiveX, Subject](https://reactivex.io/documentation/subject.html).
public final class BehaviorSubject<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let core: ReplayCore<LatestElement<Element>>

    /// Creates a subject with an initial value.
    @inlinable
    public init(value: Element) {
        core = ReplayCore(LatestElement(value))
    }

    /// The element that was accepted last.
    @inlinable
    public var value: Element {
        guard let value = core.latest() else { preconditionFailure("the core has stored an element from the beginning") }
        return value
    }

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { core.hasObservers }

    @inlinable
    public func on(_ event: Event<Element>) {
        core.accept(event)
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        let core = core
        return Observable { downstream, lifetime in core.addReplaying(downstream, lifetime) }
    }

    deinit {
        core.abandon()
    }
}
