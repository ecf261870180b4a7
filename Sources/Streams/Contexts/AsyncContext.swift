import Dispatch
import Schedulers
import Synchronization

/// A context that delivers on a queue or scheduler: to its listeners, including those that register later, and to every context derived
/// from it.
///
/// It delivers serially, even on a concurrent queue (law 2). Outcomes that are queued when the context is cancelled are dropped. You can
/// cancel a context while its outcome is still queued.
///
/// Source: NodeKit's documentation, "dispatchOn(_:)".
public final class AsyncContext<Model: Sendable>: Context<Model>, @unchecked Sendable {
    // Mutable state belongs to the superclass, and is accessed under its locks only (law 3).

    // An inherited initializer is compiled in this module, where the model is not known.
    @inlinable override init(isMulticast: Bool = false, delivery: ScheduledDelivery? = nil, mayForward: Bool = false) {
        super.init(isMulticast: isMulticast, delivery: delivery, mayForward: mayForward)
    }

    /// Creates a context without an outcome that delivers on `scheduler`.
    @inlinable public convenience init(scheduler: any Scheduler) {
        self.init(isMulticast: false, delivery: ScheduledDelivery(on: scheduler))
    }

    /// Creates a context without an outcome that delivers on `queue`.
    public convenience init(queue: DispatchQueue) {
        self.init(scheduler: queue.isMain ? MainScheduler.asyncInstance : ConcurrentDispatchQueueScheduler(queue: queue))
    }
}

/// Calls the listeners and streams of a context on a scheduler.
@usableFromInline final class ScheduledDelivery: Sendable {
    private let turns: DrainQueue<@Sendable () -> Void>
    private let isCancelled = Atomic<Bool>(false)

    @usableFromInline init(on scheduler: any Scheduler) {
        turns = DrainQueue(on: scheduler, parent: nil, AnyObserver { turn in turn.element?() })
    }

    /// Whether no outcome is queued.
    var isIdle: Bool { turns.isIdle }

    /// Drops the queued outcomes.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
    }

    /// Runs `action` on the scheduler, unless the context has been cancelled meanwhile; its final event runs anyway.
    @usableFromInline func run(isFinal: Bool, _ action: @escaping @Sendable () -> Void) {
        turns.send(.next { [self] in if isFinal || !isCancelled.load(ordering: .acquiring) { action() } })
    }

    /// Returns `observer`, called on the scheduler.
    @inlinable func delivering<Model>(_ observer: AnyObserver<Outcome<Model>?>, _ lifetime: Lifetime) -> AnyObserver<Outcome<Model>?> {
        AnyObserver { [self] event in
            let isFinal = event.element.map { $0?.isCancelled == true } ?? true
            run(isFinal: isFinal) { if !lifetime.isDisposed { observer.on(event) } }
        }
    }
}

extension Observer {
    /// Delivers on `queue`, serially even if the queue is concurrent. Downstream operators run there too.
    ///
    /// A derived context can have a listener that registers after the outcome; the thread that registers it calls it.
    ///
    /// ```swift
    /// service.allShopItems()
    ///     .dispatchOn(.global(qos: .userInitiated))
    ///     .map { items in longComputation(items) }
    /// ```
    @inlinable public final func dispatchOn(_ queue: DispatchQueue) -> AsyncContext<Model> {
        transform(into: { AsyncContext(queue: queue) }) { outcome in outcome }
    }

    /// Delivers on `scheduler`. Downstream operators run there too.
    @inlinable public final func dispatchOn(_ scheduler: any Scheduler) -> AsyncContext<Model> {
        transform(into: { AsyncContext(scheduler: scheduler) }) { outcome in outcome }
    }
}
