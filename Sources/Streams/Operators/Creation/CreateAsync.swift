import Schedulers

extension Observable {
    /// Creates a stream from an async closure, which emits each element by awaiting `send`. Use it for a source of your own that waits for
    /// a slow consumer.
    ///
    /// ```swift
    /// Observable<Item>.create { send in
    ///     for try await row in cursor { try await send(row) }
    /// }
    /// // --a--b--|
    /// ```
    ///
    /// `body` runs in a task for each subscriber, which is cancelled with the subscription. The stream completes when `body` returns, and
    /// fails if it throws. `send` returns when the element has been delivered and the consumer is not suspended, so `body` fetches the next
    /// element only then. After the disposal `send` throws `CancellationError`. You may call it from several child tasks at once: elements
    /// are serialized (law 2), and each child waits.
    ///
    /// Elements are emitted where the task runs. Source: [Kotlin,
    /// flow](https://kotlinlang.org/api/kotlinx.coroutines/kotlinx-coroutines-core/kotlinx.coroutines.flow/flow.html).
    @inlinable
    public static func create(
        priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (_ send: @escaping @Sendable (Element) async throws -> Void) async throws -> Void
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            guard !lifetime.isDisposed else { return }
            // Child tasks that emit faster than the observer receives wait for the gate, too.
            let serializer = SharedSerializer(lifetime)
            let upstream = serializer.gate
            let emit: @Sendable (consuming Event<Element>) -> Void = { event in downstream.on(event) }
            TaskMember.start(in: lifetime, priority: priority) {
                do {
                    try await body { element in
                        guard await upstream.untilMayEmit() else { throw CancellationError() }
                        serializer.serialize(.next(element), emit)
                        guard await upstream.untilMayEmit() else { throw CancellationError() }
                    }
                    serializer.serialize(.completed, emit)
                } catch { serializer.serialize(.error(error), emit) }
            }
        }
    }
}
