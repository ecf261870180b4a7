/// Repeats an operation that was refused for want of access, with a fresh token.
///
/// An operation that starts while a refresh runs waits for it. A refusal of an older token is repeated at once, one of the current token
/// starts one refresh for all. A second refusal goes to the caller. Stands before what adds the token, so that a repeated operation is
/// prepared again. Operator: ``ObservableType/refreshing(with:when:)``.
public struct AccessSafeNode<Input: Sendable, Output: Sendable>: Node {
    private let refresher: TokenRefresherNode
    private let isRefusal: @Sendable (any Error) -> Bool
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - refresher: shared by all who use the token.
    ///   - isRefusal: whether an error says that the token was refused.
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
    /// Subscribes again, with a fresh token, after an error that says that the token was refused: for whatever needs one.
    ///
    /// ```swift
    /// request.refreshing(with: keys) { $0 is ResponseError }
    /// // --#
    /// // --12-3|        subscribed again, once the refresher had a new token
    /// ```
    ///
    /// However many are refused, one refresh runs; its error goes to all of them. A second refusal goes downstream.
    /// - Parameter isRefusal: whether an error is worth a refresh.
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
