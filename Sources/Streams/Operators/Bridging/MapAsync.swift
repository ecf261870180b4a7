extension ObservableType {
    /// Sends what `transform` returns for each element, one after the other and in their order; a throw ends the stream.
    ///
    /// ```swift
    /// users.mapAsync { user in try await service.profile(of: user) }
    /// // -a-b--------|
    /// // ---A--B-----|
    /// ```
    ///
    /// Elements wait for their turn without bound. Disposing cancels the running task. Results come where the task runs.
    /// Source: [swift-async-algorithms, map](https://developer.apple.com/documentation/swift/asyncsequence/map(_:)).
    public func mapAsync<Result: Sendable>(_ transform: @escaping @Sendable (Element) async throws -> Result) -> Observable<Result> {
        flatMapAsync(maxConcurrent: 1, transform)
    }

    /// Sends what `transform` returns for each element, as soon as it returns: at most `maxConcurrent` tasks run at a time.
    ///
    /// ```swift
    /// users.flatMapAsync(maxConcurrent: 4) { user in try await service.profile(of: user) }
    /// // -a-b--------|
    /// // ---A-B------|
    /// ```
    ///
    /// Elements wait for their turn without bound. A throw ends the stream and cancels the other tasks, as disposing does.
    /// Source: [ReactiveX, FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    public func flatMapAsync<Result: Sendable>(
        maxConcurrent: Int = .max, _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMap(maxConcurrent: maxConcurrent) { element in
            Observable.fromAsync { try await transform(element) }
        }
    }
}
