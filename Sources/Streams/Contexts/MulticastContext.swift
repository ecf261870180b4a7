import Schedulers

/// A context with any number of listeners: several places show the outcome of one operation.
///
/// ```swift
/// let rates = node.process(pairs).multicast()
/// firstPresenter.apply(rates)
/// secondPresenter.apply(rates)
/// ```
///
/// Each context derived of it is a branch. Cancelling a branch detaches it; the operation continues until the last branch, or this context
/// itself, is cancelled. Source: the second seed (NodeKit, "multicast()").
public final class MulticastContext<Model: Sendable>: Context<Model>, @unchecked Sendable {
    // Law 3: the number is reached only under its lock.
    private let branches = Lock(0)

    /// Makes a context without an outcome.
    public override init() {
        super.init(keepsAllListeners: true, delivery: nil)
    }

    override func join() {
        branches.withLock { $0 += 1 }
    }

    override func leave(cancelling: Bool) {
        let isLast = branches.withLock { branches in
            branches -= 1
            return branches == 0
        }
        if cancelling, isLast { cancel() }
    }
}

extension Observer {
    /// Lets several listeners listen to one operation.
    public final func multicast() -> MulticastContext<Model> {
        derive(into: { MulticastContext() }) { outcomes, _ in outcomes }
    }
}
