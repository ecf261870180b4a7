/// The context that the code which runs an operation holds: an ``Observer`` that can emit.
///
/// It is a subject of outcomes: `stream.bind(to: context)` and `subscribe(context)` emit into it, `next` as data and `error` as an error;
/// `completed` is ignored. Outcomes that are emitted after a cancel are dropped.
public class Context<Model: Sendable>: Observer<Model>, ObserverType, @unchecked Sendable {
    // Mutable state belongs to the superclass, and is accessed under its locks only (law 3).

    // An inherited initializer is compiled in this module, where the model is not known.
    @inlinable override init(isMulticast: Bool = false, delivery: ScheduledDelivery? = nil, mayForward: Bool = false) {
        super.init(isMulticast: isMulticast, delivery: delivery, mayForward: mayForward)
    }

    /// Creates a context without an outcome.
    @inlinable public convenience init() {
        self.init(isMulticast: false, delivery: nil)
    }

    /// Stores `data`, erases a stored error, and calls the listener of `onCompleted` and then that of `defer`.
    @inlinable @discardableResult public final func emit(data: Model) -> Self {
        core.accept(.data(data))
        return self
    }

    /// Stores `error`, erases stored data, and calls the listener of `onError` and then that of `defer`.
    @inlinable @discardableResult public final func emit(error: any Error) -> Self {
        core.accept(.failure(error))
        return self
    }

    /// Returns the outcomes of this context in an observer that cannot emit, not even after a cast. Give it to code that must not emit.
    /// Cancelling it cancels this context.
    @inlinable public final var observer: Observer<Model> {
        transform { outcome in outcome }
    }

    @inlinable public final func on(_ event: Event<Model>) {
        switch event {
        case .next(let model): emit(data: model)
        case .error(let error): emit(error: error)
        case .completed: break
        }
    }
}

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

    // An inherited initializer is compiled in this module, where the model is not known.
    @inlinable override init(isMulticast: Bool = false, delivery: ScheduledDelivery? = nil, mayForward: Bool = false) {
        super.init(isMulticast: isMulticast, delivery: delivery, mayForward: mayForward)
    }

    /// Creates a context without an outcome.
    @inlinable public convenience init() {
        self.init(isMulticast: true, delivery: nil)
    }
}

extension Observer {
    /// Returns a context with any number of listeners for the same operation.
    @inlinable public final func multicast() -> MulticastContext<Model> {
        transform(into: { MulticastContext() }) { outcome in outcome }
    }
}
