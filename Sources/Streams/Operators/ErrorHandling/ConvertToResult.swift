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
    public func convertToResult() -> Infallible<Result<Element, any Error>> {
        let results = asObservable()._converting {
            Result<Element, any Error>.success($0)
        } failure: {
            .failure($0)
        }
        return Infallible(infallible: results)
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
    public func convertToLoadingState(startingWithLoading: Bool = false) -> Infallible<LoadingState<Element>> {
        let states = asObservable()._converting {
            LoadingState.loaded($0)
        } failure: {
            .failed($0)
        }
        return Infallible(infallible: startingWithLoading ? states.startWith(.loading) : states)
    }
}

extension Observable {
    /// Emits elements and the error as elements.
    func _converting<Result: Sendable>(
        _ success: @escaping @Sendable (Element) -> Result, failure: @escaping @Sendable (any Error) -> Result
    ) -> Observable<Result> {
        let start = start
        return Observable<Result> { downstream, lifetime in
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element): downstream.onNext(success(element))
                    case .error(let error): downstream.finish(with: failure(error), in: lifetime)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}
