import Dispatch
import Schedulers

extension Context {
    /// The first outcome as a stream: data as `next` and `completed`, an error as `error`, a cancel as `completed`.
    ///
    /// Disposing this subscription does not cancel the operation.
    public final func asObservable() -> Observable<Model> {
        let start = outcomes.start
        return Observable<Model> { downstream, lifetime in
            start(
                AnyObserver { event in
                    switch event {
                    case .next(.data(let model)): downstream.finish(with: model, in: lifetime)
                    case .next(.failure(let error)): downstream.onError(error)
                    case .next(.cancelled), .completed: downstream.onCompleted()
                    case .error(let error): downstream.onError(error)
                    }
                }, lifetime)
        }
    }

    /// An observer that emits into this context: `next` as data, `error` as an error; `completed` is ignored, as a context is a subject.
    public final func asObserver() -> AnyObserver<Model> {
        AnyObserver { [self] event in
            switch event {
            case .next(let model): emit(data: model)
            case .error(let error): emit(error: error)
            case .completed: break
            }
        }
    }

    /// The data, as soon as there is an outcome.
    ///
    /// Throws the error, or `CancellationError` if the context was cancelled, went away, or the awaiting task was cancelled; that last
    /// stops the waiting, not the operation.
    public final var value: Model {
        get async throws {
            let waiting = SingleAssignmentDisposable()
            let resume = ResumeOnce<Model>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    resume.begin(continuation)
                    waiting.setDisposable(
                        asObservable().subscribe(
                            onNext: { resume(.success($0)) },
                            onError: { resume(.failure($0)) },
                            onCompleted: { resume(.failure(CancellationError())) }))
                }
            } onCancel: {
                waiting.dispose()
                resume(.failure(CancellationError()))
            }
        }
    }
}

/// A continuation that the first of several answers resumes.
private final class ResumeOnce<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case answered(Result<Value, any Error>)
        case done
    }

    private let state = Lock(State.empty)

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            guard case .answered(let result) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return result
        }
        if let early { continuation.resume(with: early) }
    }

    func callAsFunction(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .empty:
                state = .answered(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .answered, .done: return nil
            }
        }
        continuation?.resume(with: result)
    }
}

extension ObservableType {
    /// Subscribes at once and hands what comes to a context: `next` as data, an error as an error. `cancel()` disposes the subscription.
    ///
    /// This is how a request that is described by a stream becomes the hot handle of the seeds.
    public func asContext() -> Context<Element> {
        hot { Context() }
    }

    /// The same as `asContext()`.
    public func context() -> Context<Element> {
        asContext()
    }

    /// Subscribes at once and hands what comes to a context that delivers on `scheduler`.
    public func context(on scheduler: any Scheduler) -> AsyncContext<Element> {
        hot { AsyncContext(scheduler: scheduler) }
    }

    /// Subscribes at once and hands what comes to a context that delivers on `queue`.
    public func context(on queue: DispatchQueue) -> AsyncContext<Element> {
        hot { AsyncContext(queue: queue) }
    }

    /// Subscribes at once and hands what comes to a context with any number of listeners.
    public func multicastContext() -> MulticastContext<Element> {
        hot { MulticastContext() }
    }

    private func hot<Result: Context<Element>>(_ makeContext: @escaping @Sendable () -> Result) -> Result {
        let source = asObservable()
        let context = makeContext()
        let operation = StreamOperation()
        context.attach(operation)
        context.recipe = { source.hot(makeContext) }
        operation.start(source, into: context)
        return context
    }
}
