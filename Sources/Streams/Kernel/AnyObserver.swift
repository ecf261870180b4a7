import Schedulers

/// Whatever takes events: observers, binders, subjects, relays.
///
/// Source: [ReactiveX, Observer](https://reactivex.io/documentation/observable.html).
public protocol ObserverType<Element>: Sendable {
    associatedtype Element: Sendable

    /// Takes one event. May return before the event has been handled (law 2).
    func on(_ event: consuming Event<Element>)

    /// Subscribes this observer to `source`. An observer that delivers elsewhere drops what waits there when that is disposed.
    func attach(to source: Observable<Element>) -> any Disposable
}

extension ObserverType {
    public func attach(to source: Observable<Element>) -> any Disposable {
        source.subscribe { event in self.on(event) }
    }

    /// Takes an element.
    @inlinable public func onNext(_ element: consuming Element) {
        on(.next(element))
    }

    /// Takes the error that ends the stream.
    @inlinable public func onError(_ error: consuming any Error) {
        on(.error(error))
    }

    /// Takes the end of the stream.
    @inlinable public func onCompleted() {
        on(.completed)
    }

    /// This observer as a plain value.
    @inlinable public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// An observer of another type that hands its elements on to this one, transformed; a throw arrives as an error.
    @inlinable
    public func mapObserver<Source>(_ transform: @escaping @Sendable (Source) throws -> Element) -> AnyObserver<Source> {
        AnyObserver<Source> { event in self.on(event.map(transform)) }
    }
}

/// An observer as a value: one closure on events.
///
/// Made from a bare closure it is neither serial nor deaf after the terminal event: only the serializers are (`create`, subjects,
/// relays, contexts, operators with several upstreams).
public struct AnyObserver<Element: Sendable>: ObserverType {
    @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void

    /// Makes an observer that runs `handler` with each event, on whatever thread the event comes.
    @inlinable
    public init(_ handler: @escaping @Sendable (consuming Event<Element>) -> Void) {
        self.handler = handler
    }

    /// Makes an observer that hands its events to `observer`.
    @inlinable
    public init(_ observer: some ObserverType<Element>) {
        self.handler = { event in observer.on(event) }
    }

    @_transparent
    public func on(_ event: consuming Event<Element>) {
        LockProbe.expectNoLock()
        handler(event)
    }

    @_transparent
    public func onNext(_ element: consuming Element) {
        LockProbe.expectNoLock()
        handler(.next(element))
    }

    @_transparent
    public func onError(_ error: consuming any Error) {
        LockProbe.expectNoLock()
        handler(.error(error))
    }

    @_transparent
    public func onCompleted() {
        LockProbe.expectNoLock()
        handler(.completed)
    }

    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

extension AnyObserver {
    /// Sends an error from where there seldom is one: generic code that makes an event asks the runtime for its type on entry, at a price of
    /// some 350 instructions.
    @inline(never)
    func fail(with error: any Error) {
        onError(error)
    }

    /// Sends the last element, and completes unless somebody below has had enough with it: nothing follows a terminal event (law 1).
    @inlinable @inline(__always)
    package func finish(with element: consuming Element, in lifetime: Lifetime) {
        onNext(element)
        if !lifetime.isDisposed { onCompleted() }
    }

    /// The observer of an operator that looks at elements only: what `handle` throws, and the terminal events, go on to this one.
    @inlinable @inline(__always)
    func forwarding<Source: Sendable>(onNext handle: @escaping @Sendable (consuming Source) throws -> Void) -> AnyObserver<Source> {
        let downstream = self
        return AnyObserver<Source> { event in
            switch consume event {
            case .next(let element):
                do { try handle(consume element) } catch { downstream.onError(error) }
            case .error(let error): downstream.onError(error)
            case .completed: downstream.onCompleted()
            }
        }
    }
}
