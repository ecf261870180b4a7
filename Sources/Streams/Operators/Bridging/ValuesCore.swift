import Schedulers

/// A drain queue between a stream and an awaiting task.
@usableFromInline
final class ElementBuffer<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var events: BufferedEvents<Element>
        /// The task that waits for elements. Who takes it under the lock resumes it, so it is resumed once; a checked continuation would
        /// double the price of waking a task.
        @usableFromInline var reader: UnsafeContinuation<Void, Never>?

        @inlinable
        init(_ policy: BufferingPolicy) {
            events = BufferedEvents(policy)
        }

        /// Takes the task to be resumed, if there is something for it.
        @inlinable
        mutating func takeReader() -> UnsafeContinuation<Void, Never>? {
            guard reader != nil, !events.isEmpty || events.isStopped else { return nil }
            return reader.take()
        }
    }

    // Law 3: no element is released under the lock, and the task is resumed outside.
    @usableFromInline let state: Lock<State>
    @usableFromInline let lifetime: Lifetime
    /// The lifetime as a gate; `nil` if the policy never suspends, so that the sources have nothing to ask.
    @usableFromInline let gate: Gate?
    @usableFromInline let mark = Resources.Mark("ElementBuffer")

    @inlinable
    init(_ policy: BufferingPolicy) {
        state = Lock(State(policy))
        gate = policy.suspensionCapacity == .max ? nil : Gate()
        lifetime = gate ?? Lifetime()
        Probe.queued("elements", of: self, bound: policy.bound, readBy: lifetime) { buffer in
            buffer.state.withLock { $0.events.elements.count }
        }
    }

    @inlinable
    func subscribe(to source: Observable<Element>) {
        source.start(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard lifetime.admits(event) else { return }
                receive(event)
            }, lifetime)
    }

    /// Disposes the source and ends the sequence; buffered elements are dropped.
    @inlinable
    func close() {
        lifetime.dispose()
        // Passed out of the lock: the elements are a user's values.
        let (reader, _) = state.withLock { state in (state.reader.take(), state.events.removeAll()) }
        reader?.resume()
    }

    /// Moves the buffered elements into `batch`, which must be empty, waiting until there are any; none at the end and when the task is
    /// cancelled.
    @inlinable
    func takeBatch(
        into batch: inout ElementQueue<Element>, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) {
        while true {
            let (stop, isStopped) = state.withLock { state in
                (state.events.takeBatch(into: &batch), state.events.isStopped)
            }
            guard batch.isEmpty else { return }
            if !isStopped, resumeSource() { continue }
            if let failure = stop?.error as? Failure { throw failure }
            guard !isStopped else { return }
            await waitForMore()
        }
    }

    @inlinable
    func waitForMore(isolation actor: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
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

    /// Resumes the source if it is suspended and nothing is buffered; returns whether it was.
    @usableFromInline
    func resumeSource() -> Bool {
        guard let gate, gate.isClosed else { return false }
        // The gate is what the buffer wants: both change under the lock.
        let opens = state.withLock { state in state.events.elements.isEmpty && gate.mark(closed: false) }
        if opens { gate.announce() }
        return opens
    }

    @inlinable @inline(__always)
    func receive(_ event: Event<Element>) {
        let (reader, outcome) = state.withLock { state in
            let outcome = state.events.append(event)
            if outcome.isFull { gate?.mark(closed: true) }
            return (state.takeReader(), outcome)
        }
        if outcome.isFull { gate?.announceClosing() }
        reader?.resume()
        if case .overflow = outcome { lifetime.dispose() }
    }
}
