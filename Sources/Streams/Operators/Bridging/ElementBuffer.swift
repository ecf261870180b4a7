import Schedulers

/// A drain queue between a stream and an awaiting task.
@usableFromInline
final class ElementBuffer<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    enum Stop {
        case completed
        case failed(Failure)
    }

    @usableFromInline
    struct State {
        @usableFromInline var waiting: PolicyBuffer<Element>
        @usableFromInline var stop: Stop?
        /// The task that waits for elements.
        @usableFromInline var reader: CheckedContinuation<Void, Never>?

        @inlinable
        init(waiting: PolicyBuffer<Element>) {
            self.waiting = waiting
        }

        /// Takes the task to be resumed, if there is something for it.
        @inlinable
        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            waiting.isEmpty && stop == nil ? nil : reader.take()
        }
    }

    @usableFromInline let state: Lock<State>
    @usableFromInline let lifetime = Lifetime()
    @usableFromInline let mark = Resources.Mark("ElementBuffer")

    @inlinable
    init(_ policy: BufferingPolicy) {
        state = Lock(State(waiting: PolicyBuffer(policy)))
    }

    @inlinable
    func subscribe(to source: Observable<Element>) {
        source.start(
            AnyObserver { [self] event in
                guard lifetime.admits(event) else { return }
                receive(event)
            }, lifetime)
    }

    /// Disposes the source and ends the sequence; buffered elements are dropped.
    @inlinable
    func close() {
        lifetime.dispose()
        let (reader, _) = state.withLock { state in
            state.stop = .completed
            return (state.reader.take(), state.waiting.removeAll())
        }
        reader?.resume()
    }

    /// Moves the buffered elements into `batch`, which must be empty, waiting until there are any; none at the end and when the task is
    /// cancelled.
    @inlinable
    func takeBatch(
        into batch: inout ElementQueue<Element>, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) {
        while true {
            let stop = state.withLock { state in
                state.waiting.takeBatch(into: &batch)
                return state.stop
            }
            guard batch.isEmpty else { return }
            if case .failed(let failure) = stop {
                state.withLock { $0.stop = .completed }
                throw failure
            }
            guard stop == nil else { return }
            await waitForMore()
        }
    }

    @inlinable
    func waitForMore(isolation actor: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let reader = state.withLock { state in
                    state.reader = continuation
                    return state.takeReader()
                }
                reader?.resume()
            }
        } onCancel: {
            close()
        }
    }

    @inlinable
    func receive(_ event: Event<Element>) {
        let (reader, outcome) = state.withLock { state -> (CheckedContinuation<Void, Never>?, PolicyBuffer<Element>.Outcome?) in
            guard state.stop == nil else { return (nil, nil) }
            var outcome: PolicyBuffer<Element>.Outcome?
            switch event {
            case .next(let element): outcome = state.waiting.append(element)
            case .error(let error): state.stop = (error as? Failure).map { .failed($0) } ?? .completed
            case .completed: state.stop = .completed
            }
            return (state.takeReader(), outcome)
        }
        reader?.resume()
        guard case .overflow(let capacity) = outcome else { return }
        lifetime.dispose()
        receive(.error(StreamError.overflow(capacity: capacity)))
    }
}
