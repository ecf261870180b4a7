extension ObservableType {
    /// Emits the result of `transform` for each element, one after the other and in order; fails if it throws.
    ///
    /// ```swift
    /// users.mapAsync { user in try await service.profile(of: user) }
    /// // -a-b--------|
    /// // ---A--B-----|
    /// ```
    ///
    /// While 16 elements wait, the source is suspended. Disposing cancels the running task. Results are emitted where the task runs. The
    /// task has the given priority, or that of the subscribing task. Source: [swift-async-algorithms,
    /// map](https://developer.apple.com/documentation/swift/asyncsequence/map(_:)).
    @inlinable
    public func mapAsync<Result: Sendable>(
        priority: TaskPriority? = nil, _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMapAsync(maxConcurrent: 1, priority: priority, transform)
    }

    /// Emits the result of `transform` for each element as soon as it returns, with at most `maxConcurrent` concurrent tasks.
    ///
    /// ```swift
    /// users.flatMapAsync(maxConcurrent: 4) { user in try await service.profile(of: user) }
    /// // -a-b--------|
    /// // ---A-B------|
    /// ```
    ///
    /// While 16 elements wait, the source is suspended. If a task throws, the stream fails and cancels the other tasks; disposing cancels
    /// them too. The tasks have the given priority, or that of the subscribing task. Source: [ReactiveX,
    /// FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable
    public func flatMapAsync<Result: Sendable>(
        maxConcurrent: Int = .max, priority: TaskPriority? = nil, _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return Observable<Result> { downstream, lifetime in
            // An element may be emitted on a thread that does not belong to the task which awaits the result.
            let tasks = TransformingTasks(downstream, lifetime, priority: priority ?? Task.currentPriority, transform)
            ConcurrencyLimiter<Element>(lifetime, limit: Swift.max(1, maxConcurrent)) { error in
                if let error { tasks.merge.fail(with: error) } else { tasks.merge.terminate(.completed) }
            } begin: { element, limiter in
                tasks.begin(element, limiter)
                return true
            }
            .subscribe(to: source)
        }
    }
}
