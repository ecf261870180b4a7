import Schedulers
import Synchronization

/// The state of a context besides its outcome and its listeners. The type is not generic, so releasing it requires no type metadata from the
/// runtime.
@usableFromInline struct ContextProgress {
    @usableFromInline var operation: ContextOperation?
    /// Starts the operation again, for a retry. It is not a part of the operation, which a source may retain after the end.
    @usableFromInline var recipe: Recipe?
    /// Whether the outcome is final: the context was cancelled, or made with its outcome.
    @usableFromInline var isFinal = false
    /// The subscriptions of the operation to other contexts.
    @usableFromInline var links = ShortList<any AnyContextLink>()
    /// The log. Most operations write nothing, and need none: it begins with the links, and follows their changes.
    @usableFromInline var journal: Journal?

    @usableFromInline init() {}

    /// Returns the log, which is created on first use.
    mutating func makeJournal() -> Journal {
        let journal = journal ?? Journal(links)
        self.journal = journal
        return journal
    }
}

extension ContextCore {
    @inlinable var operation: ContextOperation? { progress.withLock { $0.operation } }

    /// Whether this context only forwards another one.
    @usableFromInline var isForwarding: Bool { mayForward && operation?.isForwarding == true }

    /// Handles an outcome of upstream; `nil` erases the stored one.
    @inlinable func receive(_ outcome: Outcome<Model>?) {
        guard let outcome else { return receiveErasure() }
        if outcome.isCancelled { end(cancelling: false) } else { acceptStep(outcome) }
    }

    @inlinable func receiveErasure() {
        // Only the followers of a forwarding context need to know that a stored outcome was erased again.
        guard content != .erased || isForwarding else { return }
        acceptStep(nil)
        updateRetention()
    }

    /// Makes the context one whose next outcome is final, with the log of an operation.
    @usableFromInline func makeFinal(with journal: Journal?) {
        progress.withLock { progress in
            progress.isFinal = true
            progress.journal = journal
        }
    }

    /// Cancels this context, and disposes the operation.
    @usableFromInline func end(cancelling: Bool) {
        delivery?.cancel()
        acceptCancellation(self)
        takeOperation()?.end(cancelling: cancelling)
    }

    /// Removes and returns the operation, which a cancelled context no longer requires.
    private func takeOperation() -> ContextOperation? {
        let (operation, _) = progress.withLock { progress in
            progress.isFinal = true
            return (progress.operation.take(), progress.recipe.take())
        }
        return operation
    }

    /// Ends the streams when the context is deinitialized. Upstream may have released the context although it has not terminated: it is not
    /// cancelled.
    @usableFromInline func contextWasReleased() {
        if let operation = takeOperation(), operation.isForwarding { operation.end(cancelling: false) }
        guard isShared.load(ordering: .acquiring) else { return }
        if NestedSteps.tryRun({ complete() }) { return }
        NestedSteps.run { [self] in complete() }
    }

    private func complete() {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in stopCompleted() } }
        stopCompleted()
        serializer.leave()
    }

    @usableFromInline var awaited: [any AnyContext]? {
        let (operation, isFinal) = progress.withLock { ($0.operation, $0.isFinal) }
        guard !isFinal else { return [] }
        // A context without an operation ends only when it is cancelled.
        guard let operation, delivery?.isIdle != false else { return nil }
        guard !operation.isDisposed else { return [] }
        return content == .nothing ? nil : operation.sources
    }
}

/// The contexts that are derived from this one.
extension ContextCore {
    @usableFromInline func join() {
        branches.add(1, ordering: .relaxed)
    }

    /// Ends the subscription of a derived context; if `cancelling`, also requests the cancellation of the operation.
    @usableFromInline func leave(cancelling: Bool) {
        let isLast = branches.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        guard cancelling, isLast || !isMulticast, !progress.withLock({ $0.isFinal }) else { return }
        let cancellation = Cancellation.current ?? Cancellation()
        NestedSteps.run { [self] in cancel(in: cancellation) }
    }

    /// Subscribes `operation`, in `lifetime`: disposing that cancels this context.
    ///
    /// If this context is a step that the derived context follows, and only forwards another context, the subscription moves to that one.
    /// So a follower of a context that polls by recursion follows its last step.
    @inlinable func subscribe(
        _ downstream: AnyObserver<Outcome<Model>?>, in lifetime: Lifetime, for operation: ContextOperation, asStep isStep: Bool
    ) {
        if isStep { return begin(makeStep(downstream, in: lifetime, for: operation)) }
        subscribe(
            AnyObserver.receiving { [self] event in
                if !announcesForwarding(event) { downstream.forward(event) }
            }, in: lifetime, for: operation)
    }

    /// Subscribes an observer that ignores the events that announce a forwarding.
    @inlinable func subscribe(_ observer: AnyObserver<Outcome<Model>?>, in lifetime: Lifetime, for operation: ContextOperation) {
        share()
        begin(ContextLink(deliver(to: observer, lifetime), self, operation, in: lifetime))
    }

    @inlinable func begin(_ link: ContextLink<Model>) {
        if link.attach() { open(link) }
        updateRetention()
    }

    /// Prepares for a subscription.
    @inlinable func share() {
        isShared.store(true, ordering: .releasing)
        updateRetention(forSubscriber: true)
    }

    /// Returns `observer`, called where this context delivers.
    @inlinable func deliver(to observer: AnyObserver<Outcome<Model>?>, _ lifetime: Lifetime) -> AnyObserver<Outcome<Model>?> {
        delivery?.delivering(observer, lifetime) ?? observer
    }
}

// A context that only forwards another one, and has no outcome, announces that by an event without one.
extension ContextCore {
    /// The context that this one only forwards: a subscriber may subscribe to it directly.
    @usableFromInline var forwarded: ContextCore? {
        !mayForward || hasOutcome ? nil : operation?.forwarded as? ContextCore
    }

    /// Whether `event` says only that this context forwards one that has no event yet. Steps need to know that, and nobody else.
    @inlinable @inline(__always) func announcesForwarding(_ event: borrowing EventReference<Outcome<Model>?>) -> Bool {
        event.isElement { $0 == nil } && forwardsNothing
    }

    @usableFromInline var forwardsNothing: Bool {
        guard let forwarded else { return false }
        return forwarded.content == .nothing
    }

    /// Returns the link of an operation that follows this context as a step.
    @inlinable func makeStep(
        _ downstream: AnyObserver<Outcome<Model>?>, in lifetime: Lifetime, for operation: ContextOperation
    ) -> ContextLink<Model> {
        share()
        let subscription = lifetime.child()
        let observer = AnyObserver<Outcome<Model>?>.receiving { [self] event in
            guard event.isElement(where: { $0 == nil }), let forwarded else { return downstream.forward(event) }
            move(subscription, to: forwarded, in: lifetime, for: operation, downstream)
        }
        return ContextLink(deliver(to: observer, subscription), self, operation, in: subscription)
    }

    /// Ends the subscription of `operation` to this context, and subscribes it to the next one.
    @usableFromInline func move(
        _ subscription: Lifetime, to next: ContextCore, in lifetime: Lifetime, for operation: ContextOperation,
        _ downstream: AnyObserver<Outcome<Model>?>
    ) {
        operation.leaveForwarding(self)
        let link = next.makeStep(downstream, in: lifetime, for: operation)
        subscription.dispose()
        updateRetention()
        if operation.isForwarding { downstream.onNext(nil) }
        next.begin(link)
    }

    /// Lets upstream retain this context unless it only forwards another one and has no subscribers. If something else retains it, it still
    /// receives outcomes.
    @inlinable func updateRetention(forSubscriber isUsed: Bool = false) {
        if mayForward { decideRetention(forSubscriber: isUsed) }
    }

    @usableFromInline func decideRetention(forSubscriber isUsed: Bool) {
        guard let operation, operation.isForwarding else { return }
        // The context must exist until that is decided: perhaps only the caller retains it.
        let context = operation.retention?.context
        serializer.enqueue { [self] in
            operation.retention?.retain(isUsed || self.isUsed || forwarded == nil)
            withExtendedLifetime(context) {}
        }
    }
}

extension ContextCore {
    /// Shows this context in the inspector until its operation has ended.
    @usableFromInline func showInInspector() {
        Probe.shown(self, as: "Context") { context in
            guard !context.hasEnded else { return nil }
            let operation = context.operation
            var upstreams: [any AnyObject & Sendable] = operation?.sources ?? []
            if let operation { upstreams.append(operation) }
            return Probe.Facts(context.summary, upstreams: upstreams)
        }
    }

    private var summary: String {
        switch latest().flatMap({ $0 }) {
        case nil: "pending"
        case .data: "has data"
        case .failure(let error): "has failed: \(redactedDescription(of: error))"
        case .cancelled: "cancelled"
        }
    }
}
