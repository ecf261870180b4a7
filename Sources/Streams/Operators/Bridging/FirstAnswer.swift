import Schedulers

/// Waits for the first event of one subscription.
@usableFromInline
final class FirstAnswer<Element: Sendable>: Sendable {
    @usableFromInline
    @safe struct State {
        @usableFromInline var result: Result<Element?, any Error>?
        @usableFromInline var reader: UnsafeContinuation<Void, Never>?

        @inlinable
        init() {}
    }

    // Law 3: no element is released under the lock, and the task is resumed outside.
    @usableFromInline let state = Lock(State())
    @usableFromInline let lifetime = Lifetime()
    @usableFromInline let mark = Resources.Mark("FirstAnswer")

    @inlinable
    init() {}

    @inlinable
    func wait(for source: Observable<Element>) async throws -> Element? {
        // The subscription belongs to what can be cancelled: a synchronous source emits on this task until it has terminated.
        await withTaskCancellationHandler {
            subscribe(to: source)
            guard state.withLock({ $0.result == nil }) else { return }
            await unsafe withUnsafeContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.result == nil { unsafe state.reader = unsafe continuation }
                    return state.result != nil
                }
                if isReady { unsafe continuation.resume() }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
        return try state.withLock { $0.result.take() }?.get() ?? nil
    }

    @inlinable @inline(__always)
    func subscribe(to source: Observable<Element>) {
        source.start(
            AnyObserver.receiving { [self] event in
                guard let event = event.take(in: lifetime) else { return }
                switch event {
                case .next(let element): finish(.success(element))
                case .error(let error): finish(.failure(error))
                case .completed: finish(.success(nil))
                }
            }, lifetime)
    }

    @inlinable
    func finish(_ result: Result<Element?, any Error>) {
        lifetime.dispose()
        let reader = unsafe state.withLock { state in
            if state.result == nil { state.result = result }
            return unsafe state.reader.take()
        }
        unsafe reader?.resume()
    }
}
