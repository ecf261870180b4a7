import Schedulers
import Synchronization

/// The kind of content of a context. It tells code that does not know the model whether there is an outcome: to read that would look up its
/// type.
@usableFromInline enum ContextContent: UInt8, AtomicRepresentable {
    case nothing
    case erased
    case outcome
}

/// The core of a context: a replay core that calls the listeners of the context before its streams.
///
/// An outcome is delivered to the listeners that were registered when it was accepted, and a listener begins with the stored outcome. Both
/// are read under the lock that changes the stored outcome, so a listener receives each outcome once.
@usableFromInline final class ContextCore<Model: Sendable>: ReplayCore<LatestElement<Outcome<Model>?>>, AnyContext, @unchecked Sendable {
    @usableFromInline typealias Listeners = ShortList<ContextListener<Model>>

    /// The listeners, kind by kind. Law 3: accessed only under the lock.
    @usableFromInline @safe @exclusivity(unchecked) var listeners = Listeners()
    @usableFromInline let progress = Lock(ContextProgress())
    /// Whether a new listener keeps the others of its kind, and a cancelled derived context does not affect the others.
    @usableFromInline let isMulticast: Bool
    /// The scheduler on which listeners and streams are called; `nil` means the place where an outcome is accepted.
    @usableFromInline let delivery: ScheduledDelivery?
    /// Whether the operation may come to forward another context only.
    @usableFromInline let mayForward: Bool
    /// Accepts the cancellation. A closure is compiled for the model; a method that is called through a protocol is not.
    @usableFromInline let acceptCancellation: @Sendable (ContextCore) -> Void
    /// Law 3: changed only under the lock, with the stored outcome.
    @usableFromInline let contentNow = Atomic(ContextContent.nothing)
    /// The number of subscribed derived contexts.
    @usableFromInline let branches = Atomic<Int>(0)
    /// Whether streams may subscribe, which must then be informed of the context's deinitialization.
    @usableFromInline let isShared = Atomic<Bool>(false)

    @inlinable init(isMulticast: Bool, delivery: ScheduledDelivery?, mayForward: Bool) {
        self.isMulticast = isMulticast
        self.delivery = delivery
        self.mayForward = mayForward
        acceptCancellation = { $0.acceptStep(.cancelled) }
        super.init(LatestElement(nil))
    }

    @inlinable var content: ContextContent { contentNow.load(ordering: .acquiring) }

    @inlinable var hasOutcome: Bool { content == .outcome }

    /// Accepts an outcome, or `nil` to erase the stored one, unless the context has been cancelled, and delivers it in serial order.
    @inlinable func accept(_ outcome: Outcome<Model>?) {
        guard let called = admit(outcome) else { return }
        finish(outcome, called)
    }

    /// Accepts an outcome of upstream. Any number of contexts that derive from each other deliver it with a bounded stack.
    @inlinable func acceptStep(_ outcome: Outcome<Model>?) {
        guard let called = admit(outcome) else { return }
        if NestedSteps.tryRun({ finish(outcome, called) }) { return }
        NestedSteps.run { [self] in finish(outcome, called) }
    }

    @inlinable func finish(_ outcome: Outcome<Model>?, _ called: Listeners) {
        deliver(outcome, to: called)
        serializer.leave()
    }

    /// Accepts an outcome. If it returns listeners, the caller has entered the serializer, and must deliver the outcome to them and leave.
    @inlinable func admit(_ outcome: Outcome<Model>?) -> Listeners? {
        var called = Listeners()
        let isFirst = admit(.next(outcome), unless: { $0.element??.isCancelled == true }) {
            called = listeners
            if outcome?.isCancelled == true { listeners = Listeners() }
            contentNow.store(outcome == nil ? .erased : .outcome, ordering: .releasing)
            return serializer.tryEnter() || enterLater(outcome, called)
        }.isFirst
        return isFirst ? called : nil
    }

    @usableFromInline func enterLater(_ outcome: Outcome<Model>?, _ called: Listeners) -> Bool {
        serializer.enter(orEnqueue: { [self] in deliver(outcome, to: called) })
    }

    @inlinable func deliver(_ outcome: Outcome<Model>?, to called: Listeners) {
        if let outcome { for listener in called { listener.receive(outcome) } }
        deliverAccepted(.next(outcome))
    }

    /// Registers a listener, which receives the stored outcome before this method returns. It replaces the one of its kind, unless the
    /// context is a multicast one; a cancelled context keeps none.
    @inlinable func register(_ listener: ContextListener<Model>) {
        let (stored, replaced) = state.withLock { _ in
            let stored = held.element ?? nil
            return (stored, stored?.isCancelled == true ? nil : insert(listener))
        }
        replaced?.close()
        listener.open(with: stored)
        updateRetention()
    }

    /// Adds a listener after those of its kind, and returns the one that it replaces. Call it under the lock only.
    @inlinable func insert(_ listener: ContextListener<Model>) -> ContextListener<Model>? {
        let place = listeners.firstIndex { $0.handler.place > listener.handler.place } ?? listeners.count
        guard !isMulticast, place > 0, listeners[place - 1].handler.place == listener.handler.place else {
            if place == listeners.count { listeners.append(listener) } else { listeners.insert(listener, at: place) }
            return nil
        }
        let replaced = listeners[place - 1]
        listeners[place - 1] = listener
        return replaced
    }

    /// Removes all listeners; they receive no further outcomes.
    @inlinable func removeListeners() {
        let removed = state.withLock { _ in
            defer { listeners = Listeners() }
            return listeners
        }
        for listener in removed { listener.close() }
    }

    /// Whether the context has listeners or streams.
    var isUsed: Bool {
        hasObservers || state.withLock { _ in !listeners.isEmpty }
    }
}
