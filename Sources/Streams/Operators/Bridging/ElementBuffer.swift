import Schedulers

/// A drain queue between a stream and an awaiting task.
@usableFromInline
final class ElementBuffer<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    @safe struct State {
        @usableFromInline var buffer: GatedBuffer<Element>
        /// The task that waits for elements. The caller that takes it under the lock resumes it, so it is resumed once. A checked
        /// continuation would double the cost of waking a task.
        @usableFromInline var reader: UnsafeContinuation<Void, Never>?

        @inlinable
        init(_ policy: BufferingPolicy, _ gate: Gate?) {
            buffer = GatedBuffer(policy, suspending: gate)
        }

        /// Takes the task to be resumed, if there is an event for it.
        @inlinable
        mutating func takeReader() -> UnsafeContinuation<Void, Never>? {
            guard unsafe reader != nil, !buffer.isEmpty || buffer.isStopped else { return nil }
            return unsafe reader.take()
        }
    }

    // Law 3: no element is released under the lock, and the task is resumed outside.
    @usableFromInline let state: Lock<State>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let mark = Resources.Mark("ElementBuffer")

    @inlinable
    init(_ policy: BufferingPolicy) {
        let gate = policy.suspensionCapacity == .max ? nil : Gate()
        state = Lock(State(policy, gate))
        lifetime = gate ?? Lifetime()
        Probe.queued("elements", of: self, bound: policy.bound, readBy: lifetime) { buffer in
            buffer.state.withLock { $0.buffer.count }
        }
    }

    @inlinable
    func subscribe(to source: Observable<Element>) {
        source.start(
            .receiving { [self] event in
                if let event = event.take(in: lifetime) { receive(event) }
            }, lifetime)
    }

    /// Disposes the source and ends the sequence; buffered elements are dropped.
    @inlinable
    func close() {
        lifetime.dispose()
        // Passed out of the lock: the elements are a user's values.
        let (reader, _) = unsafe state.withLock { state in unsafe (state.reader.take(), state.buffer.removeAll()) }
        unsafe reader?.resume()
    }

    /// Moves the buffered elements into `batch`, which must be empty. Waits until there are any; at the end, and when the task is
    /// cancelled, `batch` stays empty.
    @inlinable
    func takeBatch(
        into batch: inout ElementQueue<Element>, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) {
        while true {
            // A source that never makes the task wait would keep a cancelled loop going.
            if Task.isCancelled { close() }
            let ((stop, effect), isStopped) = state.withLock { ($0.buffer.take(into: &batch), $0.buffer.isStopped) }
            guard batch.isEmpty else { return }
            if effect.isOpening {
                effect.perform()
                continue
            }
            if let error = stop?.error {
                if let failure = error as? Failure { throw failure }
                Hooks.unhandledError(error, in: lifetime)
            }
            guard !isStopped else { return }
            await waitForMore()
        }
    }

    @inlinable
    func waitForMore(isolation actor: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                let reader = unsafe state.withLock { state in
                    unsafe state.reader = unsafe continuation
                    return unsafe state.takeReader()
                }
                unsafe reader?.resume()
            }
        } onCancel: {
            close()
        }
    }

    @inlinable @inline(__always)
    func receive(_ event: Event<Element>) {
        let (effect, reader) = unsafe state.withLock { state in unsafe (state.buffer.append(event), state.takeReader()) }
        unsafe reader?.resume()
        if !effect.perform() { lifetime.dispose() }
    }
}
