import Dispatch
import Schedulers
import Synchronization

/// A context that delivers on a queue or scheduler: listeners, also those that register later, and everything derived of it.
///
/// It delivers one thing at a time, also where the queue is concurrent (law 2). What waits for the queue when the context is cancelled is
/// dropped; a context whose outcome still waits can be cancelled. Source: the second seed (NodeKit, "dispatchOn(_:)").
public final class AsyncContext<Model: Sendable>: Context<Model>, @unchecked Sendable {
    // Everything stored is constant, and safe from any thread by itself.
    private let turns: Handover<@Sendable () -> Void>
    /// The version of the outcome that was delivered last.
    private let delivered = Atomic<UInt64>(0)

    /// Makes a context without an outcome that delivers on `scheduler`.
    public init(scheduler: any Scheduler) {
        turns = Handover(to: scheduler, parent: nil) { turn in turn() }
        super.init(keepsAllListeners: false, deliversElsewhere: true)
    }

    /// Makes a context without an outcome that delivers on `queue`.
    public convenience init(queue: DispatchQueue) {
        self.init(scheduler: queue === DispatchQueue.main ? MainScheduler.asyncInstance : ConcurrentDispatchQueueScheduler(queue: queue))
    }

    public override var outcomes: Observable<Outcome<Model>> {
        let (core, turns) = (sharedCore, turns)
        return Observable { downstream, lifetime in
            let onQueue = AnyObserver<Outcome<Model>> { event in
                turns.send {
                    guard !lifetime.isDisposed, !Self.isErased(event.element, in: core) else { return }
                    downstream.on(event)
                }
            }
            core.addReplaying(onQueue, lifetime)
        }
    }

    override func tell(_ outcome: Outcome<Model>, _ version: UInt64) {
        turns.send { [self] in
            delivered.store(version, ordering: .releasing)
            guard !Self.isErased(outcome, in: core) else { return }
            callListeners(outcome, version)
        }
    }

    override func open(_ listener: ContextListener<Model>, with stored: Outcome<Model>?) {
        guard let stored else { return listener.open(with: nil) }
        turns.send { [self] in listener.open(with: Self.isErased(stored, in: core) ? nil : stored) }
    }

    override var hasUndelivered: Bool {
        core.state.withLock { $0.version } != delivered.load(ordering: .acquiring)
    }

    /// Whether a cancel has erased `outcome` while it waited.
    private static func isErased(_ outcome: Outcome<Model>?, in core: HoldingCore<LatestElement<Outcome<Model>>>) -> Bool {
        guard let outcome, !outcome.isCancelled, let latest = core.latest() as Outcome<Model>? else { return false }
        return latest.isCancelled
    }
}

extension Context {
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
