import Dispatch
import Schedulers

extension Observer {
    /// Returns the first outcome as a stream: data as `next` and `completed`, an error as `error`, a cancellation as `completed`.
    ///
    /// Disposing this subscription does not cancel the operation.
    @inlinable public final func asObservable() -> Observable<Model> {
        outcomes.take(1).compactMap { outcome in
            if case .failure(let error) = outcome { throw error }
            return outcome.data
        }
    }

    /// Returns `asObservable()` for a flattening operator. Disposing its subscription before the outcome cancels the operation; on a
    /// multicast context it detaches one branch, and the last branch cancels the operation.
    @inlinable public final func asInnerObservable() -> Observable<Model> {
        let stream = asObservable()
        return Observable { [core] downstream, lifetime in
            core.join()
            lifetime.add { core.leave(cancelling: !core.hasOutcome) }
            stream.start(downstream, lifetime)
        }
    }

    /// The data of the first outcome.
    ///
    /// Throws the error, or `CancellationError` if the context was cancelled or deinitialized, or the awaiting task was cancelled. A
    /// cancelled task ends the wait, not the operation.
    public final var value: Model {
        get async throws {
            guard let model = try await asObservable().firstAnswer() else { throw CancellationError() }
            return model
        }
    }

    /// Every outcome: the stored one first, then each later one. The stream never fails, and completes when the context is deinitialized.
    @inlinable public final var outcomes: Observable<Outcome<Model>> {
        events.compactMap { $0 }
    }
}

extension ObservableType {
    /// Subscribes immediately and forwards events to a context: `next` as data, an error as an error. `cancel()` disposes the subscription.
    ///
    /// If a stream completes without an element, its operation has no outcome: the context fails with `StreamError.noElements`. A request
    /// that a stream describes thus becomes the hot handle of the seeds. Messages that its nodes add form its log.
    @inlinable public func asContext() -> Context<Element> {
        hot { Context() }
    }

    /// Subscribes immediately and forwards events to a context that delivers on `scheduler`.
    @inlinable public func asContext(on scheduler: any Scheduler) -> AsyncContext<Element> {
        hot { AsyncContext(scheduler: scheduler) }
    }

    /// Subscribes immediately and forwards events to a context that delivers on `queue`.
    @inlinable public func asContext(on queue: DispatchQueue) -> AsyncContext<Element> {
        hot { AsyncContext(queue: queue) }
    }

    /// Subscribes immediately and forwards events to a context with any number of listeners.
    @inlinable public func asMulticastContext() -> MulticastContext<Element> {
        hot { MulticastContext() }
    }

    /// Subscribes immediately, and turns the events into outcomes of a context.
    @inlinable func hot<Result: Observer<Element>>(_ makeContext: @escaping @Sendable () -> Result) -> Result {
        let source = asObservable()._failing(ifEmpty: .noElements)
        let context = makeContext()
        return context.run(scope: context.core.journal.makeScope(), again: { source.hot(makeContext) }) { _ in source.map { .data($0) } }
    }
}
