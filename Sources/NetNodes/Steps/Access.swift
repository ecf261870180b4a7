public import Streams

/// Returns a closure that tells whether an error is an ``HTTPError`` with one of these statuses.
func isRefusal(_ statuses: Set<Int>) -> @Sendable (any Error) -> Bool {
    { error in (error as? HTTPError).map { statuses.contains($0.status) } ?? false }
}

extension ObservableType {
    /// Subscribes again, with a new token, after an ``HTTPError`` with one of these statuses.
    public func refreshing(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Observable<Element> {
        refreshing(with: refresher, when: isRefusal(statuses))
    }
}
