import Schedulers

/// The handle of one operation in progress, usually a request. It stores at most one outcome, and replays it to later listeners.
///
/// ```swift
/// service.users().onMain()
///     .onCompleted { [weak self] users in self?.show(users) }
///     .onError { [weak self] error in self?.show(error) }
/// ```
///
/// In terms of the stream model it is a replaying subject of outcomes with a buffer of one: a new outcome replaces the stored one, so an
/// error may be followed by data and data by an error. There is one listener of each kind: a second registration replaces the first.
/// Thread-safe; outcomes are delivered serially, in the order in which they were accepted (law 2), with no lock held.
///
/// An observer cannot emit: a function returns an observer, and the code that runs the operation holds a ``Context``. A source that may
/// still emit retains the context, and a context retains those derived from it. Releasing all references does not cancel the operation.
///
/// Source: the documentation of CoreNetKit and NodeKit, "Contexts and observers".
public class Observer<Model: Sendable>: ObservableConvertibleType, @unchecked Sendable {
    // `Sendable` is unchecked because the class can be subclassed: the only property is a constant (law 9).
    /// The context itself. Its subscribers retain the core, so that nothing references the observer weakly.
    @usableFromInline final let core: ContextCore<Model>

    /// Creates a context without an outcome. One that `mayForward` another is released by upstream meanwhile.
    @inlinable init(isMulticast: Bool = false, delivery: ScheduledDelivery? = nil, mayForward: Bool = false) {
        core = ContextCore(isMulticast: isMulticast, delivery: delivery, mayForward: mayForward)
        if Probe.seesCreation { core.showInInspector() }
    }

    /// Creates a context that has ended with `outcome`, with the log of an operation.
    @inlinable @inline(__always) convenience init(_ outcome: Outcome<Model>?, journal: Journal? = nil) {
        self.init()
        core.makeFinal(with: journal)
        core.accept(outcome)
    }

    deinit {
        core.contextWasReleased()
    }
}

extension Observer {
    /// Creates a context that has completed with data. Cancelling it has no effect.
    @inlinable public static func emit(data: Model) -> Context<Model> {
        Context(.data(data))
    }

    /// Creates a context that has failed. Cancelling it has no effect.
    @inlinable public static func emit(error: any Error) -> Context<Model> {
        Context(.failure(error))
    }

    /// Cancels the operation, which is final. It records the cancellation, erases a stored outcome, calls the listener of `onCancelled`,
    /// removes the other listeners and disposes the operation.
    ///
    /// On a derived context the cancellation is forwarded upstream to the operation. On a context derived from a multicast context it
    /// detaches that branch, and cancels the operation if that was the last branch. A second call has no effect, nor has one after the
    /// operation has terminated: it must not erase a result.
    @inlinable @discardableResult public final func cancel() -> Self {
        core.cancel(in: Cancellation())
        return self
    }

    /// Registers a listener for data. It is called immediately if data is stored, and whenever data is emitted. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onCompleted(_ listener: @escaping @Sendable (Model) -> Void) -> Self {
        add(.completed(listener))
    }

    /// Registers a listener for data that does not use it; see `onCompleted(_:)`.
    @inlinable @_disfavoredOverload @discardableResult public final func onCompleted(_ listener: @escaping @Sendable () -> Void) -> Self {
        onCompleted { (_: Model) in listener() }
    }

    /// Registers a listener for errors. It is called immediately if an error is stored, and whenever one is emitted. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(.failed(listener))
    }

    /// Registers a listener for errors that does not use them; see `onError(_:)`.
    @inlinable @discardableResult public final func onError(_ listener: @escaping @Sendable () -> Void) -> Self {
        onError { (_: any Error) in listener() }
    }

    /// Registers a listener for the cancellation. It is called immediately if the operation has been cancelled. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.cancelled(listener))
    }

    /// Registers a listener that is called after data and after an error, but not after a cancellation. It is called immediately if data or
    /// an error is stored. Replaces the previous listener.
    @inlinable @discardableResult public final func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.deferred(listener))
    }

    /// Removes all listeners immediately. Operators, `outcomes` and `value` are not listeners.
    @inlinable @discardableResult public final func unsubscribe() -> Self {
        core.removeListeners()
        return self
    }
}

extension Observer {
    @inlinable final func add(_ handler: ContextListener<Model>.Handler) -> Self {
        core.register(ContextListener(handler, core.delivery))
        return self
    }

    /// The events of this context, delivered where the context delivers.
    @inlinable final var events: Observable<Outcome<Model>?> {
        core.share()
        return Observable { [core] downstream, lifetime in
            core.addReplaying(core.deliver(to: downstream, lifetime), lifetime)
        }
    }
}
