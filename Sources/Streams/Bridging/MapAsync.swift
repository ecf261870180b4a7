extension ObservableType {
    /// Sends what `transform` returns for each element, one after the other and in their order; a throw ends the stream.
    ///
    /// ```swift
    /// users.mapAsync { user in try await service.profile(of: user) }
    /// ```
    ///
    /// Elements wait for their turn without bound. Disposing cancels the running task.
    public func mapAsync<Result: Sendable>(_ transform: @escaping @Sendable (Element) async throws -> Result) -> Observable<Result> {
        flatMapAsync(maxConcurrent: 1, transform)
    }

    /// Sends what `transform` returns for each element, as soon as it returns: at most `maxConcurrent` tasks run at a time.
    ///
    /// Elements wait for their turn without bound. A throw ends the stream and cancels the other tasks, as disposing does.
    public func flatMapAsync<Result: Sendable>(
        maxConcurrent: Int = .max, _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMap(maxConcurrent: maxConcurrent) { element in
            Observable.fromAsync { try await transform(element) }
        }
    }
}
