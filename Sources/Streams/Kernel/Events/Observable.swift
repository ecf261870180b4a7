/// A type that can be subscribed to as a stream: observables, subjects and relays.
///
/// Traits and contexts conform to `ObservableConvertibleType` only: converting them to a plain stream is explicit.
public protocol ObservableType<Element>: BindableType {}

/// A type that can be converted into a stream by `asObservable()`.
public protocol ObservableConvertibleType<Element>: Sendable {
    /// The type of the emitted elements.
    associatedtype Element: Sendable

    /// Returns this as a plain stream.
    func asObservable() -> Observable<Element>

    /// Returns the stream that a flattening operator subscribes to. A context is cancelled when that is disposed before the outcome.
    func asInnerObservable() -> Observable<Element>
}

extension ObservableConvertibleType {
    @inlinable @inline(__always)
    public func asInnerObservable() -> Observable<Element> {
        asObservable()
    }
}

/// A stream of elements that does nothing until it is subscribed to, and starts anew for each subscriber (law 7).
///
/// It is one closure that starts a source, given the observer and the lifetime of the subscription. Operators wrap the observer in a
/// closure of their own and start their upstream with it; see `Docs/Architecture.md`.
///
/// Source: [ReactiveX, Observable](https://reactivex.io/documentation/observable.html).
public struct Observable<Element: Sendable>: ObservableType {
    @usableFromInline let start: @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void
    /// Whether it emits all its events before `start` returns and registers no resources: `just`, `empty`, `error`. An operator that starts
    /// many streams needs no lifetime for such a stream.
    @usableFromInline let isSynchronous: Bool

    /// Creates a stream from the closure that starts it: the way in which operators are written.
    ///
    /// `start` must keep the laws itself: call the observer serially, emit nothing after a terminal event, register resources in the
    /// lifetime, and check `lifetime.isDisposed` before each element. `create` does all of this.
    @inlinable
    package init(start: @escaping @Sendable (_ downstream: consuming AnyObserver<Element>, _ lifetime: Lifetime) -> Void) {
        self.start = Probe.creating(start)
        isSynchronous = false
    }

    @inlinable
    init(isSynchronous: Bool, start: @escaping @Sendable (_ downstream: consuming AnyObserver<Element>, _ lifetime: Lifetime) -> Void) {
        self.start = Probe.creating(start, isSynchronous: isSynchronous)
        self.isSynchronous = isSynchronous
    }

    /// Subscribes in `lifetime`, which is disposed by the terminal event; later events are dropped.
    @inlinable @inline(__always)
    package func subscribe(in lifetime: Lifetime, _ receive: @escaping @Sendable (consuming Event<Element>) -> Void) {
        start(
            AnyObserver.receiving { event in
                let event = event.take()
                guard lifetime.admits(event) else { return }
                receive(consume event)
            }, lifetime)
    }

    @inlinable @inline(__always)
    public func asObservable() -> Observable<Element> {
        self
    }
}
