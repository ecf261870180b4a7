extension ObservableType {
    /// Emits elements as successes and an error as a failure, after which it completes, as a stream that cannot fail.
    ///
    /// ```swift
    /// numbers.convertToResult()
    /// // --1--#
    /// // --a--(b|)   a = success(1), b = failure(failed)
    /// ```
    ///
    /// Runs where upstream emits. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    @inlinable
    public func convertToResult() -> Infallible<Result<Element, any Error>> {
        convertToResult { $0 }
    }

    /// Emits elements as `loaded` and an error as `failed`, after which it completes, as a stream that cannot fail.
    ///
    /// ```swift
    /// numbers.convertToLoadingState(startingWithLoading: true)
    /// // --1--#
    /// // a-b--(c|)   a = loading, b = loaded(1), c = failed(failed)
    /// ```
    ///
    /// `loading` is emitted first, on subscribing, if requested. Runs where upstream emits. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    @inlinable
    public func convertToLoadingState(startingWithLoading: Bool = false) -> Infallible<LoadingState<Element>> {
        let states = map { LoadingState.loaded($0) }.catch { .just(.failed($0)) }
        return Infallible(infallible: startingWithLoading ? states.startWith(.loading) : states)
    }
}
