/// Repeats an operation that was rejected because of its token, with a new token.
///
/// An operation that starts during a refresh waits for it. One that was rejected with an older token is repeated immediately; one with the
/// current token starts one refresh for all. A second rejection is forwarded. Place this node upstream of the one that adds the token, so
/// that a repeated operation is prepared anew. Operator: ``ObservableType/refreshing(with:when:)``.
public struct AccessSafeNode<Input: Sendable, Output: Sendable>: Node {
    private let refresher: TokenRefresherNode
    private let isRefusal: @Sendable (any Error) -> Bool
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - refresher: shared by all operations that use the token.
    ///   - isRefusal: whether an error means that the token was rejected.
    ///   - next: the operation.
    public init(
        refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool, next: any Node<Input, Output>
    ) {
        self.refresher = refresher
        self.isRefusal = isRefusal
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).refreshing(with: refresher, when: isRefusal)
    }
}

extension ObservableType {
    /// Subscribes again, with a new token, after an error which means that the token was rejected.
    ///
    /// ```swift
    /// request.refreshing(with: keys) { $0 is ResponseError }
    /// // expired --#
    /// // renewed ------1--2--|
    /// //         ------1--2--|   subscribed again when the refresher, after 2 s, had a new token
    /// ```
    ///
    /// One refresh runs for any number of rejected subscriptions; its error is forwarded to all of them. A second rejection is forwarded.
    /// - Parameters:
    ///   - refresher: what renews the access.
    ///   - isRefusal: whether an error requires a refresh.
    ///
    /// Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    public func refreshing(
        with refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool
    ) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            refresher.settled().flatMap { generation in
                source.catch { error in
                    guard isRefusal(error) else { throw error }
                    log.note(.info, "AccessSafeNode", "\(redactedDescription(of: error)): repeats with a fresh token")
                    return refresher.renewed(after: generation).flatMap { _ in source }
                }
            }
        }
    }
}
