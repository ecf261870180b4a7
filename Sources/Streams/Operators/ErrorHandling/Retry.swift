extension ObservableType {
    /// Subscribes again after each error, indefinitely; otherwise like ``retry(_:)``.
    @inlinable
    public func retry() -> Observable<Element> {
        retry(.max)
    }

    /// Subscribes again after an error, up to `maxAttempts` attempts in total; fails with the error of the last.
    ///
    /// ```swift
    /// request.retry(2)
    /// // --1--#
    /// // --1----1--#
    /// ```
    ///
    /// Each attempt is disposed before the next begins. ``Aborter/OperationAborted`` is final: it is not retried. Fewer than one attempt
    /// are treated as one. Sources that fail synchronously do not grow the stack. Source: [ReactiveX,
    /// Retry](https://reactivex.io/documentation/operators/retry.html).
    @inlinable
    public func retry(_ maxAttempts: Int) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let left = SerialState(maxAttempts)
            SequenceSubscriber(downstream, lifetime) { event in
                guard case .error(let error) = event, left.value > 1, !Aborter.OperationAborted.isError(error) else { return nil }
                left.value -= 1
                return .next(source)
            }.subscribe(to: source)
        }
    }
}
