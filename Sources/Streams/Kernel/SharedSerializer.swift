/// Serializes the inputs of one operator: the events of its upstreams, and the actions of its timers.
///
/// They are handled one at a time, in the order of arrival, and no more once the operator's lifetime is disposed. The state of the operator
/// changes only there, so it is a `SerialState`:
///
/// ```text
/// let serializer = SharedSerializer(lifetime)
/// let latest = SerialState<Other?>(nil)
/// serializer.subscribe(to: other) { event in latest.value = event.element }
/// serializer.subscribe(to: source) { event in ... }
/// timer.disposable = scheduler.schedule(after: dueTime) { serializer.run { ... } }
/// ```
///
/// `MergeJoin`, `SwitchJoin` and `Combination` are its subclasses: each is the state of one way to combine several upstreams, and its transitions.
@usableFromInline
class SharedSerializer: @unchecked Sendable {
    // Law 2: the stored state of subclasses changes only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline final let lifetime: Lifetime

    /// Creates the serializer of the operator that runs in `lifetime`.
    @inlinable
    init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// Subscribes to `source`, whose events are handled by `receive` in serial order.
    ///
    /// It runs in `upstream`, by default a child of the operator's lifetime, which is disposed as soon as the terminal event arrives,
    /// though its last elements may still be queued. If it runs in the operator's lifetime itself, `receive` handles the end. `finished` is
    /// called when the source has completed, or failed `alsoByError`, outside the serializer: streams that it starts are delivered
    /// synchronously, and can be disposed.
    @inlinable @inline(__always)
    final func subscribe<Element: Sendable>(
        to source: Observable<Element>, in upstream: Lifetime? = nil, finished: (@Sendable () -> Void)? = nil, alsoByError: Bool = false,
        _ receive: @escaping @Sendable (consuming Event<Element>) -> Void
    ) {
        let upstream = upstream ?? lifetime.child()
        // A previous source may have terminated the operator while it was being subscribed to.
        guard !upstream.isDisposed else { return }
        source.start(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard upstream === lifetime || upstream.admits(event) else { return }
                let isFinished = event.isCompleted || alsoByError && event.isStopEvent
                perform(consume event, receive)
                if isFinished { finished?() }
            }, upstream)
    }

    /// Runs `action` in serial order.
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

    /// Calls `receive` with `input` in serial order. Allocates only if the input is queued.
    ///
    /// `receive` is a closure that was created once, on subscribing, or one that captures a single reference: a closure literal that
    /// captures more is allocated at each call.
    @inlinable @inline(__always)
    final func perform<Input: Sendable>(_ input: consuming Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return enqueue(input, receive) }
        if !lifetime.isDisposed { receive(input) }
        serializer.leave()
    }

    /// Calls `receive` with `receiver` and `input` in serial order.
    ///
    /// For a closure literal that captures nothing: one that captures an object retains it at each call.
    @inlinable @inline(__always)
    final func perform<Receiver: AnyObject & Sendable, Input: Sendable>(
        _ input: consuming Input, with receiver: Receiver, _ receive: @escaping @Sendable (Receiver, consuming Input) -> Void
    ) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return enqueue(input, with: receiver, receive) }
        if !lifetime.isDisposed { receive(receiver, input) }
        serializer.leave()
    }

    @inlinable @inline(never)
    final func enqueue<Receiver: AnyObject & Sendable, Input: Sendable>(
        _ input: Input, with receiver: Receiver, _ receive: @escaping @Sendable (Receiver, consuming Input) -> Void
    ) {
        serializer.enqueue(mayWait: true) { [self] in
            if !lifetime.isDisposed { receive(receiver, input) }
        }
    }

    @inlinable @inline(never)
    final func enqueue<Input: Sendable>(_ input: Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        serializer.enqueue(mayWait: true) { [self] in
            if !lifetime.isDisposed { receive(input) }
        }
    }
}
