/// What happens to the outputs for one input when the next input arrives.
public enum NodeStrategy: Sendable {
    /// All run side by side, at most `max` at a time; further inputs are buffered without bound.
    case merge(max: Int)
    /// One after another, in order; further inputs are buffered without bound.
    case concat
    /// The newest input disposes the outputs of the one before: a search field.
    case latest
    /// While one runs, further inputs are dropped: a button.
    case first
}

extension ObservableType {
    /// Sends each element through a node and emits its outputs.
    ///
    /// ```swift
    /// letters.through(search, .latest)
    /// // -a-b--------|
    /// // ------b-----|
    /// ```
    ///
    /// An error of the node ends the stream.
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
