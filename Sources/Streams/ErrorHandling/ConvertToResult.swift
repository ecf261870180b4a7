extension ObservableType {
    /// Sends elements as successes and the error as a failure, after which it completes: it never fails.
    ///
    /// ```swift
    /// numbers.convertToResult()
    /// // --1--#
    /// // --a--(b|)   a = success(1), b = failure(failed)
    /// ```
    ///
    /// Runs where upstream sends. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    public func convertToResult() -> Observable<Result<Element, any Error>> {
        asObservable()._converting {
            .success($0)
        } failure: {
            .failure($0)
        }
    }

    /// Sends elements as `loaded` and the error as `failed`, after which it completes: it never fails.
    ///
    /// ```swift
    /// numbers.convertToLoadingState(startingWithLoading: true)
    /// // --1--#
    /// // a-b--(c|)   a = loading, b = loaded(1), c = failed(failed)
    /// ```
    ///
    /// `loading` is sent only if asked for: first, on subscribing. Runs where upstream sends. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    public func convertToLoadingState(startingWithLoading: Bool = false) -> Observable<LoadingState<Element>> {
        let states = asObservable()._converting {
            LoadingState.loaded($0)
        } failure: {
            .failed($0)
        }
        return startingWithLoading ? states.startWith(.loading) : states
    }
}

extension Observable {
    /// Elements and the error, both as elements.
    func _converting<Result: Sendable>(
        _ success: @escaping @Sendable (Element) -> Result, failure: @escaping @Sendable (any Error) -> Result
    ) -> Observable<Result> {
        let start = start
        return Observable<Result> { downstream, lifetime in
            start(
                AnyObserver { event in
                    switch consume event {
                    case .next(let element): downstream.onNext(success(element))
                    case .error(let error): downstream.finish(with: failure(error), in: lifetime)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}
