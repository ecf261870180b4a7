/// A `PublishSubject` that never terminates: it accepts elements only.
///
/// As an observer it forwards elements, ignores `completed`, and reports an error like a binder (`Hooks.errorInBinder`).
/// Source: [RxSwift, Relay](https://github.com/ReactiveX/RxSwift/blob/main/RxRelay/PublishRelay.swift).
public final class PublishRelay<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// Creates a relay without observers.
    public init() {}

    /// Emits `element` to the current subscribers.
    @inlinable
    public func accept(_ element: Element) {
        subject.core.onNext(element)
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

extension Event {
    /// Handles an event the way a relay or a binder does.
    @inlinable
    func relayed(_ accept: (Element) -> Void) {
        switch self {
        case .next(let element): accept(element)
        case .error(let error): Hooks.errorInBinder(error)
        case .completed: break
        }
    }
}
