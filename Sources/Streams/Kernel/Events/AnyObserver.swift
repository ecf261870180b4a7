import Schedulers

/// Receives events: observers, binders, subjects, relays.
///
/// Source: [ReactiveX, Observer](https://reactivex.io/documentation/observable.html).
public protocol ObserverType<Element>: Sendable {
    /// The elements that the observer receives.
    associatedtype Element: Sendable

    /// Handles one event. This method may return before the event has been handled (law 2).
    func on(_ event: consuming Event<Element>)

    /// Subscribes this observer to `source`. An observer that delivers elsewhere drops its queued elements when the subscription is
    /// disposed.
    func attach(to source: Observable<Element>) -> any Disposable
}

extension ObserverType {
    @inlinable
    public func attach(to source: Observable<Element>) -> any Disposable {
        let lifetime = Lifetime()
        source.subscribe(in: lifetime) { event in self.on(event) }
        return lifetime
    }

    /// Receives an element.
    @inlinable public func onNext(_ element: consuming Element) {
        on(.next(element))
    }

    /// Receives the error that terminates the stream.
    @inlinable public func onError(_ error: consuming any Error) {
        on(.error(error))
    }

    /// Receives the completion of the stream.
    @inlinable public func onCompleted() {
        on(.completed)
    }

    /// Returns this observer as a value.
    @inlinable public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// Returns an observer of another type that forwards its elements transformed; if `transform` throws, the error is forwarded.
    @inlinable
    public func mapObserver<Source>(_ transform: @escaping @Sendable (Source) throws -> Element) -> AnyObserver<Source> {
        AnyObserver<Source> { event in self.on(event.map(transform)) }
    }
}

/// An observer as a value: one closure on events.
///
/// An observer from a bare closure is neither serialized nor terminated by the terminal event: only `create`, subjects, relays, contexts
/// and operators with several upstreams serialize.
// The value is moved into the last closure that captures it; otherwise it would be retained for the closure and released at the end of the
// scope.
@_eagerMove
public struct AnyObserver<Element: Sendable>: ObserverType {
    @usableFromInline let handler: @Sendable (consuming EventReference<Element>) -> Void

    @inlinable @inline(__always)
    init(handler: @escaping @Sendable (consuming EventReference<Element>) -> Void) {
        self.handler = handler
    }

    /// Returns the observer of an operator: a closure that owns the event.
    @inlinable @inline(__always)
    package static func receiving(_ handler: @escaping @Sendable (consuming EventReference<Element>) -> Void) -> AnyObserver {
        AnyObserver(handler: handler)
    }

    /// Creates an observer that calls `handler` with each event, on the thread of the event.
    @inlinable
    public init(eventHandler handler: @escaping @Sendable (consuming Event<Element>) -> Void) {
        self.handler = { event in handler(event.take()) }
    }

    /// Creates an observer that forwards its events to `observer`.
    @inlinable
    public init(_ observer: some ObserverType<Element>) {
        self.handler = { event in observer.on(event.take()) }
    }

    @_transparent
    public func on(_ event: consuming Event<Element>) {
        LockProbe.expectNoLock()
        event.send { event in handler(event) }
    }

    /// Sends an element.
    @_transparent
    public func onNext(_ element: consuming Element) {
        LockProbe.expectNoLock()
        #if DEBUG
            ElementReference.send(element, to: handler)
        #else
            // This is a closure literal, which the optimizer inlines: the stored closure is called through a thunk.
            ElementReference.send(element) { event in handler(event) }
        #endif
    }

    @_transparent
    public func onError(_ error: consuming any Error) {
        LockProbe.expectNoLock()
        handler(.failure(error))
    }

    @_transparent
    public func onCompleted() {
        LockProbe.expectNoLock()
        handler(.completed)
    }

    /// Returns this observer.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

extension AnyObserver {
    /// Forwards an event without taking its element.
    @_transparent @usableFromInline
    package func forward(_ event: consuming EventReference<Element>) {
        LockProbe.expectNoLock()
        handler(event)
    }

    /// Forwards an element without taking it.
    @_transparent @usableFromInline
    func forward(_ element: consuming ElementReference<Element>) {
        LockProbe.expectNoLock()
        handler(.next(element))
    }

    /// Forwards an error. This is a separate function for code that rarely fails: generic code that creates an event looks up type metadata
    /// on entry.
    @usableFromInline @inline(never)
    func fail(with error: any Error) {
        onError(error)
    }

    /// Emits the last element, and completes unless that element has terminated the downstream: nothing follows a terminal event (law 1).
    @inlinable @inline(__always)
    package func finish(with element: consuming Element, in lifetime: Lifetime) {
        onNext(element)
        if !lifetime.isDisposed { onCompleted() }
    }

    /// Returns the observer of an operator that handles elements only. Errors that `handle` throws, and terminal events, are forwarded to
    /// this observer.
    @inlinable @inline(__always)
    func forwarding<Source: Sendable>(onNext handle: @escaping @Sendable (consuming Source) throws -> Void) -> AnyObserver<Source> {
        let downstream = self
        return .receiving { event in
            switch consume event {
            case .next(let element):
                do { try handle(element.take()) } catch { downstream.onError(error) }
            case .error(let error): downstream.onError(error)
            case .completed: downstream.onCompleted()
            }
        }
    }
}
