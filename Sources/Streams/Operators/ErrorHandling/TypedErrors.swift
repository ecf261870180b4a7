/// Errors of one type, checked by the compiler where they are handled, and `any Error` elsewhere: `Observable` has one type parameter.
extension ObservableType {
    /// Continues with the stream that `handler` returns for an error of this type; other errors are forwarded.
    ///
    /// ```swift
    /// numbers.catch(as: ResponseError.self) { error in cached }
    /// // --1--#
    /// // --1--(2|)        the error is a ResponseError, and what was cached is 2
    /// ```
    ///
    /// Upstream is disposed before the handler is called. Fails with a new error if it throws.
    /// Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    @inlinable
    public func `catch`<Failure: Error>(
        as type: Failure.Type, _ handler: @escaping @Sendable (Failure) throws -> Observable<Element>
    ) -> Observable<Element> {
        self.catch { error in
            guard let failure = error as? Failure else { throw error }
            return try handler(failure)
        }
    }

    /// Maps every error to one of this type. An error that already has the type is forwarded unchanged, without calling `transform`.
    ///
    /// ```swift
    /// numbers.mapError(as: ResponseError.self) { .wrapped($0) }
    /// // --1--#
    /// // --1--#
    /// ```
    ///
    /// The closure returns that type and does not throw, so downstream of this operator every error has it.
    /// Source: [Combine, mapError](https://developer.apple.com/documentation/combine/publisher/maperror(_:)).
    @inlinable
    public func mapError<Failure: Error>(
        as type: Failure.Type, _ transform: @escaping @Sendable (any Error) -> Failure
    ) -> Observable<Element> {
        mapError { error in error as? Failure ?? transform(error) }
    }

    /// Emits elements as successes and an error as a failure of one type, after which it completes, so that a consumer can switch over
    /// every case, and `get()` throws that type.
    ///
    /// ```swift
    /// numbers.convertToResult { ResponseError.wrapped($0) }
    /// // --1--#
    /// // --a--(b|)   a = success(1), b = failure(wrapped(failed))
    /// ```
    ///
    /// An error that has the type already is not passed to `transform`.
    /// Source: [Swift Evolution, typed throws](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0413-typed-throws.md).
    @inlinable
    public func convertToResult<Failure: Error>(
        _ transform: @escaping @Sendable (any Error) -> Failure
    ) -> Infallible<Result<Element, Failure>> {
        let results = map { Result<Element, Failure>.success($0) }.catch { .just(.failure($0 as? Failure ?? transform($0))) }
        return Infallible(infallible: results)
    }
}
