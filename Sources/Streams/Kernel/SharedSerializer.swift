/// Serializes the inputs of one operator: the events of its upstreams, and what its timers do.
///
/// They are handled one at a time, in the order in which they arrive, and no more once the operator's lifetime is disposed. The state of
/// the operator changes there and nowhere else, so it is a `SerialState`:
///
/// ```swift
/// let serializer = SharedSerializer(lifetime)
/// let latest = SerialState<Other?>(nil)
/// serializer.subscribe(to: other) { event in latest.value = event.element }
/// serializer.subscribe(to: source) { event in ... }
/// timer.disposable = scheduler.schedule(after: dueTime) { serializer.run { ... } }
/// ```
///
/// The joins are its subclasses: each is the state of one way to bring several upstreams together, and what an event does to it.
@usableFromInline
class SharedSerializer: @unchecked Sendable {
    // Law 2: what subclasses store changes only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline final let lifetime: Lifetime

    /// Makes the serializer of the operator that runs in `lifetime`.
    @inlinable
    init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// Subscribes to `source`, whose events `receive` handles at their turn.
    ///
    /// It runs in `upstream`, by default a child of the operator's lifetime, which ends as soon as the terminal event arrives, though its
    /// last elements may still wait then. `finished` runs when the source has completed, outside the serializer: what it starts
    /// synchronously is delivered as it comes, and can be stopped.
    @inlinable @inline(__always)
    final func subscribe<Element: Sendable>(
        to source: Observable<Element>, in upstream: Lifetime? = nil, finished: (@Sendable () -> Void)? = nil,
        _ receive: @escaping @Sendable (consuming Event<Element>) -> Void
    ) {
        let upstream = upstream ?? lifetime.child()
        // A source before this one may have ended the operator while it was being subscribed to.
        guard !upstream.isDisposed else { return }
        source.start(
            AnyObserver { [self] event in
                guard upstream.admits(event) else { return }
                let isCompleted = event.isCompleted
                perform(event, receive)
                if isCompleted { finished?() }
            }, upstream)
    }

    /// An observer whose events `receive` handles at their turn: for an upstream that runs in the operator's own lifetime.
    @inlinable @inline(__always)
    final func observer<Element: Sendable>(_ receive: @escaping @Sendable (consuming Event<Element>) -> Void) -> AnyObserver<Element> {
        AnyObserver { [self] event in perform(event, receive) }
    }

    /// Runs `action` at its turn.
    @inlinable
    final func run(_ action: @escaping @Sendable () -> Void) {
        guard serializer.tryEnter() else {
            return serializer.enqueue { [self] in
                if !lifetime.isDisposed { action() }
            }
        }
        if !lifetime.isDisposed { action() }
        serializer.leave()
    }

    @inlinable @inline(__always)
    final func perform<Input: Sendable>(_ input: consuming Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        guard serializer.tryEnter() else { return enqueue(input, receive) }
        if !lifetime.isDisposed { receive(input) }
        serializer.leave()
    }

    @inlinable @inline(never)
    final func enqueue<Input: Sendable>(_ input: Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        serializer.enqueue { [self] in
            if !lifetime.isDisposed { receive(input) }
        }
    }
}
