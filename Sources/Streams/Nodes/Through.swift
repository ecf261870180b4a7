/// The way in which a node processes an input that arrives while an earlier one is being processed.
public enum NodeStrategy: Sendable {
    /// Processes inputs concurrently, at most `max` at a time; while 16 inputs wait, their source is suspended.
    case merge(max: Int)
    /// Processes inputs sequentially, in order; while 16 inputs wait, their source is suspended.
    case concat
    /// Disposes the operation of the previous input when the next one arrives: for a search field.
    case latest
    /// Drops inputs while an operation runs: for a button.
    case first
}

extension ObservableType {
    /// Processes each element with a node, and emits the outputs.
    ///
    /// ```swift
    /// letters.through(search, .latest)
    /// // -a-b--------|
    /// // ------b-----|
    /// ```
    ///
    /// The stream fails with an error of the node.
    /// Source: [ReactiveX, FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable
    public func through<Output: Sendable>(
        _ node: any Node<Element, Output>, _ strategy: NodeStrategy = .merge(max: 16)
    ) -> Observable<Output> {
        switch strategy {
        case .merge(let max): flatMap(maxConcurrent: max) { node.stream($0) }
        case .concat: concatMap { node.stream($0) }
        case .latest: flatMapLatest { node.stream($0) }
        case .first: flatMapFirst { node.stream($0) }
        }
    }
}
