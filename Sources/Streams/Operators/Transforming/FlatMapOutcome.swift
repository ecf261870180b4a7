extension ObservableType {
    /// Continues with the stream that `selector` returns for the first element or the error, for a source with a single result.
    ///
    ///     numbers.flatMapOutcome { outcome in .just(try outcome.get()) }
    ///     // --1--2--|
    ///     // --(1|)
    ///
    /// Upstream is disposed before `selector` is called, so there is never more than one stream and no merging. Completes if upstream
    /// completes without an element; fails if `selector` throws. Source: Mutiny, onItemOrFailure().transformToUni; ReactiveX,
    /// [FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    package func flatMapOutcome<Result>(
        _ selector: @escaping @Sendable (Swift.Result<Element, any Error>) throws -> Observable<Result>
    ) -> Observable<Result> {
        let start = asObservable().start
        return Observable<Result> { downstream, lifetime in
            let upstream = lifetime.child()
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard upstream.end() else { return }
                    let next: Observable<Result>
                    do {
                        switch consume event {
                        case .next(let element): next = try selector(.success(element))
                        case .error(let error): next = try selector(.failure(error))
                        case .completed: return downstream.onCompleted()
                        }
                    } catch { return downstream.onError(error) }
                    next.start(downstream, lifetime)
                }, upstream)
        }
    }
}
