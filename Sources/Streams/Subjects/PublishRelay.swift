/// A `PublishSubject` that never ends: it accepts elements only.
///
/// As an observer it passes elements on, ignores `completed`, and reports an error as a binder does (`Hooks.errorInBinder`).
/// Source: [RxSwift, Relay](https://github.com/ReactiveX/RxSwift/blob/main/RxRelay/PublishRelay.swift).
public final class PublishRelay<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// Makes a relay without observers.
    public init() {}

    /// Sends `element` to those who are subscribed at its turn.
    @inlinable
    public func accept(_ element: Element) {
        subject.core.on(.next(element))
    }

    public func on(_ event: Event<Element>) {
        event.relayed { accept($0) }
    }

    public func asObservable() -> Observable<Element> {
        subject.asObservable()
    }
}

extension Event {
    /// What a relay or a binder makes of an event.
    func relayed(_ accept: (Element) -> Void) {
        switch self {
        case .next(let element): accept(element)
        case .error(let error): Hooks.errorInBinder(error)
        case .completed: break
        }
    }
}
