/// A context with any number of listeners: for an operation whose outcome is shown in several places.
///
/// ```swift
/// let rates = node.process(pairs).multicast()
/// firstPresenter.apply(rates)
/// secondPresenter.apply(rates)
/// ```
///
/// Each context derived from it is a branch. Cancelling a branch detaches it; the operation continues until the last branch, or this
/// context itself, is cancelled. Source: NodeKit's documentation, "multicast()".
public final class MulticastContext<Model: Sendable>: Context<Model>, @unchecked Sendable {
    // Mutable state belongs to the superclass, and is accessed under its locks only (law 3).

    /// Creates a context without an outcome.
    public convenience init() {
        self.init(isMulticast: true, delivery: nil)
    }
}

extension Observer {
    /// Returns a context with any number of listeners for the same operation.
    public final func multicast() -> MulticastContext<Model> {
        derive(into: { MulticastContext() }) { outcomes, _ in outcomes }
    }
}
