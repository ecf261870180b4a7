/// A type to which you can subscribe as a stream: observables, subjects and relays.
///
/// Traits and contexts conform to `ObservableConvertibleType` only: converting them to a plain stream is explicit.
public protocol ObservableType<Element>: BindableType {}

/// A type that can be converted into a stream by `asObservable()`.
public protocol ObservableConvertibleType<Element>: Sendable {
    /// The type of the emitted elements.
    associatedtype Element: Sendable

    /// Returns this as a plain stream.
    func asObservable() -> Observable<Element>

    /// Returns the stream to which a flattening operator subscribes. A context is cancelled when that stream is disposed before the
    /// outcome.
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
/// An observable is one closure that starts a source, given the observer and the lifetime of the subscription. Operators wrap the observer
/// in a closure of their own and start their upstream with it; see `Docs/Architecture.md`.
///
/// Source: [ReactiveX, Observable](https://reactivex.io/documentation/observable.html).
public struct Observable<Element: Sendable>: ObservableType {
    @usableFromInline let start: @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void
    /// Whether the stream emits all its events before `start` returns and registers no resources: `just`, `empty`, `error`. An operator
    /// that starts many streams needs no lifetime for such a stream.
    @usableFromInline let isSynchronous: Bool

    /// Creates a stream from the closure that starts it. Operators are written in this way.
    ///
    /// `start` must keep the laws itself: it calls the observer serially, emits nothing after a terminal event, registers resources in the
    /// lifetime, and checks `lifetime.isDisposed` before each element. `create` does all of this for you.
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
            .receiving { event in
                if let event = event.take(in: lifetime) { receive(consume event) }
            }, lifetime)
    }

    @inlinable @inline(__always)
    public func asObservable() -> Observable<Element> {
        self
    }
}

/// A value of a generic type for closures of inlinable code, which capture this object instead of the value.
///
/// The compiler of Swift 6.3.1 crashes if such a closure is inlined into generic code of a user and captures a value whose type is, or
/// contains, a tuple with one of the user's type parameters: `just((first, second))`.
@usableFromInline
final class Constant<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
