import Schedulers

/// A continuation that is resumed once, by whichever comes first: the stream or the task's cancellation.
final class SingleUseContinuation<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }

    private let state = Lock(State.open)

    /// Waits for the result. May be called once only.
    func await(_ continuation: CheckedContinuation<Value, any Error>) {
        let given = state.withLock { state -> Result<Value, any Error>? in
            guard case .given(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .done
            return result
        }
        if let given { continuation.resume(with: given) }
    }

    /// Resumes the task; only the first call counts.
    func give(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .done
                return continuation
            case .given, .done: return nil
            }
        }
        continuation?.resume(with: result)
    }
}

extension Observable {
    /// Waits for the first element, or `nil` if there is none; throws the error. Upstream is disposed then.
    ///
    /// Cancelling the awaiting task disposes upstream and throws `CancellationError`.
    func firstAnswer() async throws -> Element? {
        let answer = SingleUseContinuation<Element?>()
        let lifetime = Lifetime()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.await(continuation)
                start(
                    AnyObserver.receiving { event in
                        let event = event.take()
                        guard lifetime.end() else { return }
                        switch event {
                        case .next(let element): answer.give(.success(element))
                        case .error(let error): answer.give(.failure(error))
                        case .completed: answer.give(.success(nil))
                        }
                    }, lifetime)
            }
        } onCancel: {
            lifetime.dispose()
            answer.give(.failure(CancellationError()))
        }
    }
}
