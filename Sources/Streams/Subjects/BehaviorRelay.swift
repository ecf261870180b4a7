/// A `BehaviorSubject` that never terminates: an observable value.
///
/// ```swift
/// let count = BehaviorRelay(value: 0)
/// count.update { $0 += 1 }
/// ```
///
/// As an observer it forwards elements, ignores `completed`, and reports an error like a binder (`Hooks.errorInBinder`).
/// Source: [RxSwift, Relay](https://github.com/ReactiveX/RxSwift/blob/main/RxRelay/BehaviorRelay.swift).
public final class BehaviorRelay<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let subject: BehaviorSubject<Element>

    /// Creates a relay with an initial value.
    @inlinable
    public init(value: Element) {
        subject = BehaviorSubject(value: value)
    }

    /// The element that was accepted last. Thread-safe.
    public var value: Element {
        @inlinable get { subject.value }
        @available(*, unavailable, message: "use accept(_:), or update(_:) for a change of the current value")
        set { unavailable() }
    }

    /// Sets the value immediately, and emits it in serial order.
    @inlinable
    public func accept(_ element: Element) {
        subject.core.accept(.next(element))
    }

    /// Changes the value: runs `change` once, in serial order, with no lock held. This method may return before `change` has run.
    @inlinable
    public func update(_ change: @escaping @Sendable (inout Element) -> Void) {
        subject.core.update(change)
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
