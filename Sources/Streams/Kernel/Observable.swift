/// What can be subscribed to as a stream: observables, subjects and relays.
///
/// Traits and contexts are `ObservableConvertibleType` only: crossing over from them to a plain stream is always written.
public protocol ObservableType<Element>: ObservableConvertibleType {}

/// What can be turned into a stream by `asObservable()`.
public protocol ObservableConvertibleType<Element>: Sendable {
    associatedtype Element: Sendable

    /// This as a plain stream.
    func asObservable() -> Observable<Element>
}

/// A stream of elements that does nothing until it is subscribed to, and does it again for each subscriber (law 7).
///
/// It is one closure that starts a source, given the observer and the lifetime of the subscription. Operators wrap the observer in a
/// closure of their own and start their upstream with it; `Docs/Architecture.md` shows how one is written.
///
/// Source: [ReactiveX, Observable](https://reactivex.io/documentation/observable.html).
public struct Observable<Element: Sendable>: ObservableType {
    @usableFromInline let start: @Sendable (AnyObserver<Element>, Lifetime) -> Void
    /// Whether it sends all its events before `start` returns and leaves nothing to be torn down: `just`, `empty`, `error`. An operator
    /// that starts many streams can spare such a one a lifetime of its own.
    @usableFromInline let isSynchronous: Bool

    /// Makes a stream of the closure that starts it: the way in which operators are written.
    ///
    /// `start` must keep the laws itself: call the observer serially, send nothing after a terminal event, register what is to be torn
    /// down in the lifetime, and look at `lifetime.isDisposed` before each element. `create` does all of this for you.
    @inlinable
    package init(start: @escaping @Sendable (_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) -> Void) {
        self.start = start
        isSynchronous = false
    }

    @inlinable
    init(isSynchronous: Bool, start: @escaping @Sendable (_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) -> Void) {
        self.start = start
        self.isSynchronous = isSynchronous
    }

    /// Subscribes in `lifetime`, which ends with the terminal event; what comes after that, or after a disposal, is dropped.
    @inlinable @inline(__always)
    package func subscribe(in lifetime: Lifetime, _ receive: @escaping @Sendable (consuming Event<Element>) -> Void) {
        start(
            AnyObserver { event in
                guard lifetime.admits(event) else { return }
                receive(event)
            }, lifetime)
    }

    @inlinable @inline(__always)
    public func asObservable() -> Observable<Element> {
        self
    }
}
