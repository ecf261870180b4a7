import Dispatch
import Schedulers
import Synchronization

/// A context that delivers on a queue or scheduler: listeners, also those that register later, and everything derived of it.
///
/// It delivers one thing at a time, also where the queue is concurrent (law 2). What waits for the queue when the context is cancelled is
/// dropped; a context whose outcome still waits can be cancelled. Source: the second seed (NodeKit, "dispatchOn(_:)").
public final class AsyncContext<Model: Sendable>: Context<Model>, @unchecked Sendable {
    // What changes is the superclass's, and reached under its locks only (law 3).

    /// Makes a context without an outcome that delivers on `scheduler`.
    public init(scheduler: any Scheduler) {
        super.init(isMulticast: false, delivery: Delivery(on: scheduler))
    }

    /// Makes a context without an outcome that delivers on `queue`.
    public convenience init(queue: DispatchQueue) {
        self.init(scheduler: queue === DispatchQueue.main ? MainScheduler.asyncInstance : ConcurrentDispatchQueueScheduler(queue: queue))
    }
}

/// Calls the listeners and streams of a context on a scheduler.
@usableFromInline final class Delivery: Sendable {
    private let turns: Handover<@Sendable () -> Void>
    /// How many outcomes wait for their turn.
    private let waiting = Atomic<Int>(0)
    private let isCancelled = Atomic<Bool>(false)

    init(on scheduler: any Scheduler) {
        turns = Handover(to: scheduler, parent: nil) { turn in turn() }
    }

    /// Whether no outcome waits for its turn.
    var isIdle: Bool { waiting.load(ordering: .acquiring) == 0 }

    /// Drops what waits.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
    }

    /// Counts an outcome as waiting until its turn comes.
    @usableFromInline func announce() {
        waiting.add(1, ordering: .relaxed)
        turns.send { [self] in waiting.subtract(1, ordering: .releasing) }
    }

    /// `observer`, called at its turn.
    @usableFromInline func delivering<Model>(
        _ observer: AnyObserver<Outcome<Model>?>, _ lifetime: Lifetime?
    ) -> AnyObserver<Outcome<Model>?> {
        AnyObserver { [self] event in
            turns.send { [self] in
                if case .next(let outcome) = event, outcome?.isCancelled != true, isCancelled.load(ordering: .acquiring) { return }
                if lifetime?.isDisposed != true { observer.on(event) }
            }
        }
    }
}

extension Observer {
    /// Delivers on `queue`, serially also where the queue is concurrent; what follows runs there too.
    ///
    /// ```swift
    /// service.allShopItems()
    ///     .dispatchOn(.global(qos: .userInitiated))
    ///     .map { items in longComputation(items) }
    /// ```
    public final func dispatchOn(_ queue: DispatchQueue) -> AsyncContext<Model> {
        derive(into: { AsyncContext(queue: queue) }) { outcomes, _ in outcomes }
    }

    /// Delivers on `scheduler`; what follows runs there too.
    public final func dispatchOn(_ scheduler: any Scheduler) -> AsyncContext<Model> {
        derive(into: { AsyncContext(scheduler: scheduler) }) { outcomes, _ in outcomes }
    }
}
