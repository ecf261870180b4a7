import Dispatch
import Schedulers

extension Observer {
    /// The first outcome as a stream: data as `next` and `completed`, an error as `error`, a cancel as `completed`.
    ///
    /// Disposing this subscription does not cancel the operation.
    public final func asObservable() -> Observable<Model> {
        outcomes.take(1).compactMap { outcome in
            if case .failure(let error) = outcome { throw error }
            return outcome.data
        }
    }

    /// The data, as soon as there is an outcome.
    ///
    /// Throws the error, or `CancellationError` if the context was cancelled, went away, or the awaiting task was cancelled; that last
    /// stops the waiting, not the operation.
    public final var value: Model {
        get async throws {
            guard let model = try await asObservable().firstAnswer() else { throw CancellationError() }
            return model
        }
    }

    /// Every outcome: the stored one first, then each later one. Never fails; completes when the context is gone.
    public final var outcomes: Observable<Outcome<Model>> {
        events.compactMap { $0 }
    }
}

extension ObservableType {
    /// Subscribes at once and hands what comes to a context: `next` as data, an error as an error. `cancel()` disposes the subscription.
    ///
    /// This is how a request that is described by a stream becomes the hot handle of the seeds. What its nodes note is its log.
    public func asContext() -> Context<Element> {
        hot { Context() }
    }

    /// Subscribes at once and hands what comes to a context that delivers on `scheduler`.
    public func asContext(on scheduler: any Scheduler) -> AsyncContext<Element> {
        hot { AsyncContext(scheduler: scheduler) }
    }

    /// Subscribes at once and hands what comes to a context that delivers on `queue`.
    public func asContext(on queue: DispatchQueue) -> AsyncContext<Element> {
        hot { AsyncContext(queue: queue) }
    }

    /// Subscribes at once and hands what comes to a context with any number of listeners.
    public func asMulticastContext() -> MulticastContext<Element> {
        hot { MulticastContext() }
    }

    private func hot<Result: Context<Element>>(_ makeContext: @escaping @Sendable () -> Result) -> Result {
        let source = asObservable()
        let context = makeContext()
        return context.run(scope: context.journal.makeScope(), again: { source.hot(makeContext) }) { _ in source.map { .data($0) } }
    }
}
