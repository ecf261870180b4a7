extension Step where Input == NextInput, Output == NextOutput {
    /// Repeats an operation that was rejected because of its token.
    package static func refreshing(
        with refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool
    ) -> Step {
        .after("refreshing") { $0.refreshing(with: refresher, when: isRefusal) }
    }
}

extension ObservableType {
    /// Subscribes again with a new token after an error that means that the token was rejected.
    ///
    /// ```swift
    /// request.refreshing(with: keys) { $0 is ResponseError }
    /// // expired --#
    /// // renewed ------1--2--|
    /// //         ------1--2--|   subscribed again when the refresher, after 2 s, had a new token
    /// ```
    ///
    /// One refresh runs for all subscriptions that are rejected with one token. Its error is forwarded to all of them, including those that
    /// are rejected after it. A second rejection is forwarded, and so is ``Aborter/OperationAborted``.
    /// - Parameters:
    ///   - refresher: the node that renews the access.
    ///   - isRefusal: whether an error requires a refresh.
    ///
    /// Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    @inlinable
    public func refreshing(
        with refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool
    ) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            refresher.settled().flatMap { generation in
                source.catch { error in
                    guard !Aborter.OperationAborted.isError(error), isRefusal(error) else { throw error }
                    log.note(.info, "refreshing", "\(redactedDescription(of: error)): repeats with a fresh token")
                    return refresher.renewed(after: generation).flatMap { _ in source }
                }
            }
        }
    }
}
