/// A `BehaviorSubject` that never ends: a value that can be watched.
///
/// ```swift
/// let count = BehaviorRelay(value: 0)
/// count.update { $0 += 1 }
/// ```
///
/// As an observer it passes elements on, ignores `completed`, and reports an error as a binder does (`Hooks.errorInBinder`).
/// Source: [RxSwift, Relay](https://github.com/ReactiveX/RxSwift/blob/main/RxRelay/BehaviorRelay.swift).
public final class BehaviorRelay<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let holding: ReplayCore<LatestElement<Element>>
    private let initial: Element

    /// Makes a relay that holds `value`.
    public init(value: Element) {
        initial = value
        holding = ReplayCore(LatestElement(value))
    }

    /// The element accepted last. Any thread.
    public var value: Element {
        holding.latest() ?? initial
    }

    /// Makes `element` the value at once, and sends it at its turn.
    @inlinable
    public func accept(_ element: Element) {
        holding.accept(.next(element))
    }

    /// Changes the value: runs `change` once, at its turn among what is accepted, with no lock held. May return before.
    public func update(_ change: @escaping @Sendable (inout Element) -> Void) {
        holding.update(change)
    }

    public func on(_ event: Event<Element>) {
        event.relayed { accept($0) }
    }

    public func asObservable() -> Observable<Element> {
        let holding = holding
        return Observable { downstream, lifetime in holding.addReplaying(downstream, lifetime) }
    }

    deinit {
        holding.abandon()
    }
}

/// A `ReplaySubject` that never ends.
public final class ReplayRelay<Element: Sendable>: ObservableType, ObserverType {
    private let subject: ReplaySubject<Element>

    /// Makes a relay that keeps the last `count` elements.
    public init(bufferSize count: Int) {
        subject = ReplaySubject(bufferSize: count)
    }

    /// Sends `element`, now and to those who subscribe later.
    public func accept(_ element: Element) {
        subject.onNext(element)
    }

    public func on(_ event: Event<Element>) {
        event.relayed { accept($0) }
    }

    public func asObservable() -> Observable<Element> {
        subject.asObservable()
    }
}
