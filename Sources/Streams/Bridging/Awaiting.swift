import Schedulers

extension ObservableType {
    /// The first element, after which upstream is let go. Throws the error, or `StreamError.noElements` if there is none.
    ///
    /// Cancelling the awaiting task disposes the subscription and throws `CancellationError`; so do the others here.
    /// Source: [ReactiveX, First](https://reactivex.io/documentation/operators/first.html).
    public func first() async throws -> Element {
        guard let element = try await asObservable().firstAnswer() else { throw StreamError.noElements }
        return element
    }

    /// The last element, when upstream completes. Throws the error, or `StreamError.noElements` if there is none.
    ///
    /// Source: [ReactiveX, Last](https://reactivex.io/documentation/operators/last.html).
    public func last() async throws -> Element {
        guard let element = try await takeLast(1).firstAnswer() else { throw StreamError.noElements }
        return element
    }

    /// All elements, when upstream completes. Throws the error.
    public func array() async throws -> [Element] {
        try await toArray().firstAnswer() ?? []
    }
}
