import Schedulers

/// The serializer of an operator, with its state and the observer that it emits to: an observer that captures this one reference needs no
/// context of its own.
///
/// ```text
/// let skipping = SerialOperator(true, emittingTo: downstream, in: lifetime)
/// skipping.start(independent: notifier) { event in
///     skipping.receive(independent: event) { skipping, event in skipping.value = false }
/// }
/// skipping.start(main: source) { event in
///     skipping.receive(main: event) { skipping, event in if !skipping.value { skipping.downstream.on(event) } }
/// }
/// ```
///
/// The inner closures capture nothing: they are written inside of the observers so that the optimizer sees it. One that has to capture more
/// is created once, on subscribing (`subscribe(toMain:)`): one for each event would be allocated.
@usableFromInline
final class SerialOperator<Value, Output: Sendable>: SharedSerializer, @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Output>
    // Law 2: accessed only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) var value: Value

    @inlinable
    init(_ value: Value, emittingTo downstream: AnyObserver<Output>, in lifetime: Lifetime) {
        self.value = value
        self.downstream = downstream
        super.init(lifetime)
    }

    /// Starts a main source: it runs in the gate itself. Its observer passes each event to `receive(main:)` or `receive(outlived:)`.
    @inlinable @inline(__always)
    func start<Element: Sendable>(
        main source: Observable<Element>, _ observer: @escaping @Sendable (consuming EventReference<Element>) -> Void
    ) {
        if !gate.isDisposed { source.start(.receiving(observer), gate) }
    }

    /// Starts the one source that is not suspended with the operator, because it opens, cuts or ends the operator. Queued inputs suspend it
    /// like the others. Its observer passes each event to `receive(independent:)`.
    @inlinable @inline(__always)
    func start<Element: Sendable>(
        independent source: Observable<Element>, _ observer: @escaping @Sendable (consuming EventReference<Element>) -> Void
    ) {
        let upstream = makeIndependentGate()
        if !upstream.isDisposed { source.start(.receiving(observer), upstream) }
    }

    /// Handles an event of the main source, whose end `handle` handles, in serial order.
    @inlinable @inline(__always)
    func receive<Element: Sendable>(
        main event: consuming EventReference<Element>, _ handle: @escaping @Sendable (SerialOperator, consuming Event<Element>) -> Void
    ) {
        serialize(event.take(), with: self, handle)
    }

    /// Handles an event of a main source whose end the operator may outlive: the gate is disposed as soon as the terminal event arrives,
    /// although its last elements may still be queued.
    @inlinable @inline(__always)
    func receive<Element: Sendable>(
        outlived event: consuming EventReference<Element>,
        _ handle: @escaping @Sendable (SerialOperator, consuming Event<Element>) -> Void
    ) {
        if let event = event.take(in: gate) { serialize(consume event, with: self, handle) }
    }

    /// Handles an event of the independent source.
    @inlinable @inline(__always)
    func receive<Element: Sendable>(
        independent event: consuming EventReference<Element>,
        _ handle: @escaping @Sendable (SerialOperator, consuming Event<Element>) -> Void
    ) {
        if let event = takeIndependent(event) { serialize(consume event, with: self, handle) }
    }

    /// Subscribes to the main source with a closure that captures more than the operator.
    @inlinable @inline(__always)
    func subscribe<Element: Sendable>(
        toMain source: Observable<Element>, _ handle: @escaping @Sendable (SerialOperator, consuming Event<Element>) -> Void
    ) {
        start(main: source) { [self] event in receive(main: event, handle) }
    }

    /// Subscribes, with such a closure, to a main source whose end the operator may outlive.
    @inlinable @inline(__always)
    func subscribe<Element: Sendable>(
        toOutlived source: Observable<Element>, _ handle: @escaping @Sendable (SerialOperator, consuming Event<Element>) -> Void
    ) {
        start(main: source) { [self] event in receive(outlived: event, handle) }
    }
}
