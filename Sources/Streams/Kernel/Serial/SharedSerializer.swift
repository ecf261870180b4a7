import Schedulers
import Synchronization

/// Serializes the inputs of one operator: the events of its upstreams, and the actions of its timers.
///
/// They are handled one at a time, in the order of arrival, and not at all once the operator's lifetime is disposed. The state of the
/// operator changes only there, so it is a `SerialState`:
///
/// ```text
/// let serializer = SharedSerializer(lifetime)
/// let latest = SerialState<Other?>(nil)
/// serializer.subscribe(toIndependent: other) { event in latest.value = event.element }
/// serializer.subscribe(toMain: source) { event in ... }
/// timer.disposable = scheduler.schedule(after: dueTime) { serializer.run { ... } }
/// ```
///
/// While the observer handles one input, others are queued. Each upstream runs in a gate, which is closed when many inputs are queued, so
/// no upstream runs ahead.
///
/// `SerialOperator`, `MergeJoin`, `SwitchJoin` and `Combination` are subclasses. Each is the state of one way to combine several upstreams,
/// with its transitions.
@usableFromInline
@safe class SharedSerializer: @unchecked Sendable {
    // Law 2: the stored state of subclasses changes only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline final let lifetime: Lifetime
    /// The gate of the upstreams that are suspended with the operator.
    @usableFromInline final let gate: Gate
    /// The gate of an upstream that is not suspended with the operator: it must run while the others are suspended. Law 9: written before
    /// that upstream is subscribed to. It is retained manually, so that reading it for each event requires no retain.
    @usableFromInline @safe @exclusivity(unchecked) private(set) final var independentGate: Unmanaged<Gate>?
    /// The number of queued inputs of upstreams.
    private let backlog = Atomic<Int>(0)
    /// The gates that have been opened inside the serializer, where no source is resumed.
    private let opened = Lock<[GateChange]>([])
    private let hasOpened = Atomic<Bool>(false)

    /// Creates the serializer of the operator that runs in `lifetime`. Its upstreams run in `gate`, by default a child of `lifetime`.
    @usableFromInline
    init(_ lifetime: Lifetime, gate: Gate? = nil) {
        self.lifetime = lifetime
        self.gate = gate ?? lifetime.boundary()
        Probe.queued("inputs", of: self, bound: BufferingPolicy.backlogCapacity) { $0.backlog.load(ordering: .relaxed) }
    }

    deinit {
        if let independentGate { unsafe independentGate.release() }
    }

    /// Whether the operator has not been disposed, so that it may emit.
    @inlinable @inline(__always)
    final var isAlive: Bool { !lifetime.isDisposed }

    /// Subscribes to `source`; `receive` handles its events in serial order.
    ///
    /// The source runs in `upstream`, by default a child of the gate, which is disposed as soon as the terminal event arrives, although its
    /// last elements may still be queued. `finished` is called outside the serializer when the source has completed: streams
    /// that it starts are delivered synchronously, and can be disposed.
    @inlinable @inline(__always)
    final func subscribe<Element: Sendable>(
        to source: Observable<Element>, in upstream: Lifetime? = nil, finished: (@Sendable () -> Void)? = nil,
        _ receive: @escaping @Sendable (consuming Event<Element>) -> Void
    ) {
        let upstream = upstream ?? gate.child()
        // An earlier source may have terminated the operator while it was being subscribed to.
        guard !upstream.isDisposed else { return }
        guard let finished else {
            return source.start(
                .receiving { [self] event in
                    if let event = event.take(in: upstream) { serialize(consume event, receive) }
                }, upstream)
        }
        source.start(
            .receiving { [self] event in
                guard let event = event.take(in: upstream) else { return }
                let isFinished = event.isCompleted
                serialize(consume event, receive)
                if isFinished { finished() }
            }, upstream)
    }

    /// Subscribes to the main source: it runs in the gate itself, and `receive` handles its end.
    @inlinable @inline(__always)
    final func subscribe<Element: Sendable>(
        toMain source: Observable<Element>, _ receive: @escaping @Sendable (consuming Event<Element>) -> Void
    ) {
        guard !gate.isDisposed else { return }
        source.start(.receiving { [self] event in serialize(event.take(), receive) }, gate)
    }

    /// Subscribes to the one source that is not suspended with the operator, because it opens, cuts or ends the operator. Queued inputs
    /// suspend it like the others.
    @inlinable @inline(__always)
    final func subscribe<Element: Sendable>(
        toIndependent source: Observable<Element>, _ receive: @escaping @Sendable (consuming Event<Element>) -> Void
    ) {
        subscribe(to: source, in: makeIndependentGate(), receive)
    }

    /// Makes the gate of the independent upstream, once.
    @usableFromInline
    final func makeIndependentGate() -> Gate {
        let gate = lifetime.boundary(followsDownstream: false)
        independentGate = unsafe .passRetained(gate)
        return gate
    }

    /// Moves an event of the independent upstream out, if it may be emitted.
    @inlinable @inline(__always)
    final func takeIndependent<Element>(_ event: consuming EventReference<Element>) -> Event<Element>? {
        let event = event.take()
        guard let independentGate else { return nil }
        return unsafe independentGate._withUnsafeGuaranteedRef { $0.admit(event) } ? event : nil
    }

    /// Runs `action` in serial order.
    @inlinable
    final func run(_ action: @escaping @Sendable () -> Void) {
        guard serializer.tryEnter() else { return enqueue(action) }
        if !lifetime.isDisposed { action() }
        leave()
    }

    @usableFromInline @inline(never)
    final func enqueue(mayWait: Bool = false, _ action: @escaping @Sendable () -> Void) {
        let action: @Sendable () -> Void = { [self] in
            if !lifetime.isDisposed { action() }
        }
        guard serializer.enter(orEnqueue: action, mayWait: mayWait) else { return }
        action()
        leave()
    }

    /// Queues an input of an upstream, and suspends the upstreams while many inputs are queued.
    @usableFromInline @inline(never)
    final func enqueueInput(_ action: @escaping @Sendable () -> Void) {
        // This comes before the input can be drained: the thread that drains the last one opens the gate.
        let depth = backlog.add(1, ordering: .acquiringAndReleasing).newValue
        if depth >= BufferingPolicy.backlogCapacity {
            gate.suspend(for: .backlog)
            unsafe independentGate?._withUnsafeGuaranteedRef { $0.suspend(for: .backlog) }
        }
        enqueue(mayWait: true) { [self] in
            action()
            guard backlog.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            if gate.isClosed { resume(gate, for: .backlog) }
            unsafe independentGate?._withUnsafeGuaranteedRef { if $0.isClosed { resume($0, for: .backlog) } }
        }
    }

    /// Leaves, and resumes the sources of the gates that were opened inside the serializer.
    @inlinable @inline(__always)
    final func leave() {
        if !serializer.tryLeave() { drain() }
    }

    /// Resumes the sources in `gate` when the thread inside leaves. Called inside the serializer only.
    @usableFromInline @inline(never)
    final func resume(_ gate: Gate, for reason: Gate.Reason = .boundary) {
        let change = gate.resume(for: reason)
        guard case .opened = change else { return }
        opened.withLock { $0.append(change) }
        hasOpened.store(true, ordering: .releasing)
        // The leaving thread looks for them only if something is queued, so this queues an input that does nothing.
        serializer.enqueue {}
    }

    @usableFromInline @inline(never)
    final func drain() {
        serializer.drain()
        guard hasOpened.load(ordering: .relaxed) else { return }
        let changes = opened.withLock { opened in
            hasOpened.store(false, ordering: .relaxed)
            defer { opened = [] }
            return opened
        }
        for change in changes { change.perform() }
    }

    /// Runs `action` in serial order when downstream is no longer suspended, or immediately if it is not suspended.
    @usableFromInline
    final func runWhenResumed(_ action: @escaping @Sendable () -> Void) {
        lifetime.whenResumed { [self] in
            run(action)
        }
    }

    /// Calls `receive` with `input` in serial order. It allocates only if the input is queued.
    ///
    /// `receive` must be a closure that was created once, on subscribing, or one that captures a single reference: a closure literal that
    /// captures more is allocated at each call.
    @inlinable @inline(__always)
    final func serialize<Input: Sendable>(_ input: consuming Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return enqueue(input, receive) }
        if !lifetime.isDisposed { receive(input) }
        leave()
    }

    /// Calls `receive` with `receiver` and `input` in serial order.
    ///
    /// Use it for a closure literal that captures nothing: one that captures an object retains it at each call.
    @inlinable @inline(__always)
    final func serialize<Receiver: AnyObject & Sendable, Input: Sendable>(
        _ input: consuming Input, with receiver: Receiver, _ receive: @escaping @Sendable (Receiver, consuming Input) -> Void
    ) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return enqueue(input, with: receiver, receive) }
        if !lifetime.isDisposed { receive(receiver, input) }
        leave()
    }

    @inlinable @inline(never)
    final func enqueue<Receiver: AnyObject & Sendable, Input: Sendable>(
        _ input: Input, with receiver: Receiver, _ receive: @escaping @Sendable (Receiver, consuming Input) -> Void
    ) {
        enqueueInput { receive(receiver, input) }
    }

    @inlinable @inline(never)
    final func enqueue<Input: Sendable>(_ input: Input, _ receive: @escaping @Sendable (consuming Input) -> Void) {
        enqueueInput { receive(input) }
    }
}
