extension ObservableType {
    /// Goes on with the stream that `selector` makes of the first element or of the error: for a source that is one answer.
    ///
    ///     numbers.flatMapOutcome { outcome in .just(try outcome.get()) }
    ///     // --1--2--|
    ///     // --(1|)
    ///
    /// Upstream is let go before `selector` runs, so there is never more than one stream and nothing has to be merged. Completes where upstream
    /// does without an element; a throw in `selector` is the error. Source: Mutiny, onItemOrFailure().transformToUni; ReactiveX,
    /// [FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    package func flatMapOutcome<Result>(
        _ selector: @escaping @Sendable (Swift.Result<Element, any Error>) throws -> Observable<Result>
    ) -> Observable<Result> {
        let start = asObservable().start
        return Observable<Result> { downstream, lifetime in
            let upstream = lifetime.child()
            start(
                AnyObserver { event in
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
