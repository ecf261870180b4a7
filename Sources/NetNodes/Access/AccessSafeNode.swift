public import Streams

/// Repeats a request that was refused for want of access, with a fresh token. Stands before the request is created, so that a repeat is
/// built anew and its header providers are asked again.
///
/// A request that starts while a refresh runs waits for it. A refusal of an older token is repeated at once, one of the current token
/// starts one refresh for all. A second refusal goes to the caller. Operator: ``Streams/ObservableType/refreshing(with:on:)``.
public struct AccessSafeNode<Input: Sendable, Output: Sendable>: Node {
    private let refresher: TokenRefresherNode
    private let statuses: Set<Int>
    private let next: any Node<Input, Output>

    /// - Parameter statuses: which refusals are worth a refresh.
    public init(refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403], next: any Node<Input, Output>) {
        self.refresher = refresher
        self.statuses = statuses
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).refreshing(with: refresher, on: statuses)
    }
}

extension ObservableType {
    /// Subscribes again, with a fresh token, after an ``HTTPError`` of one of these statuses.
    public func refreshing(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Observable<Element> {
        refreshing(with: refresher, when: { error in (error as? HTTPError).map { statuses.contains($0.status) } ?? false })
    }

    /// Subscribes again, with a fresh token, after an error that says that the token was refused: for whatever needs one.
    ///
    /// - Parameter isRefusal: whether an error is worth a refresh.
    public func refreshing(
        with refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool
    ) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            refresher.settled().flatMap { generation in
                source.catch { error in
                    guard isRefusal(error) else { throw error }
                    let status = (error as? HTTPError).map { " with \($0.status)" } ?? ""
                    log.note(.info, "AccessSafeNode", "refused\(status): goes on with a fresh token")
                    return refresher.renewed(after: generation).flatMap { _ in source }
                }
            }
        }
    }
}
