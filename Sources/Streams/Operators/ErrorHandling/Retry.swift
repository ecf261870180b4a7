extension ObservableType {
    /// Subscribes again after an error, without end; otherwise as ``retry(_:)``.
    public func retry() -> Observable<Element> {
        retry(.max)
    }

    /// Subscribes again after an error, until there were `maxAttempts` attempts in all; the error of the last goes on.
    ///
    /// ```swift
    /// request.retry(2)
    /// // --1--#
    /// // --1----1--#
    /// ```
    ///
    /// Each attempt is let go before the next begins. Fewer than one attempt are taken as one. Sources that fail in place do not grow the
    /// stack. Source: [ReactiveX, Retry](https://reactivex.io/documentation/operators/retry.html).
    public func retry(_ maxAttempts: Int) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let left = SerialState(maxAttempts)
            SequenceSubscriber(downstream, lifetime).start(source) { event in
                guard case .error = event, left.value > 1 else { return nil }
                left.value -= 1
                return .next(source)
            }
        }
    }
}
