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
    // What changes is the superclass's, and reached under its locks only (law 3).

    /// Makes a context without an outcome.
    public convenience init() {
        self.init(isMulticast: true, delivery: nil)
    }
}

extension Observer {
    /// Lets several listeners listen to one operation.
    public final func multicast() -> MulticastContext<Model> {
        derive(into: { MulticastContext() }) { outcomes, _ in outcomes }
    }
}
