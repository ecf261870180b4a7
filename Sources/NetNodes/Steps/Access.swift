public import Streams

extension AccessSafeNode {
    /// Repeats a request that failed because its token was rejected.
    ///
    /// Placed before the request is created, so that a repeated request is built anew with new headers from its providers.
    ///
    /// - Parameters:
    ///   - refresher: shared by all chains that use the token.
    ///   - statuses: the statuses of an ``HTTPError`` that trigger a refresh.
    ///   - next: the rest of the chain.
    public init(refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403], next: any Node<Input, Output>) {
        self.init(refresher: refresher, when: { isRefusal($0, statuses) }, next: next)
    }
}

extension ObservableType {
    /// Subscribes again, with a new token, after an ``HTTPError`` with one of these statuses.
    public func refreshing(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Observable<Element> {
        refreshing(with: refresher, when: { isRefusal($0, statuses) })
    }
}

extension HTTPMiddleware {
    /// Repeats a request that is rejected, with a new token.
    static func refreshingAccess(with refresher: TokenRefresherNode, on statuses: Set<Int>) -> HTTPMiddleware {
        HTTPMiddleware.cold("AccessSafeNode", [.ignoresBody, .networkOnly]) { $1($0).refreshing(with: refresher, on: statuses) }
    }
}

private func isRefusal(_ error: any Error, _ statuses: Set<Int>) -> Bool {
    (error as? HTTPError).map { statuses.contains($0.status) } ?? false
}
