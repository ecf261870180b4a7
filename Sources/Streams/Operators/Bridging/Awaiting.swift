import Schedulers

extension ObservableType {
    /// Waits for the first element and disposes upstream. Throws the error of the stream, or `StreamError.noElements` if it completes
    /// without one.
    ///
    /// ```swift
    /// let first = try await numbers.firstElement()
    /// // --1--2--|
    /// // --1              is returned
    /// ```
    ///
    /// Cancelling the awaiting task disposes the subscription and throws `CancellationError`, as for the other methods here.
    /// Source: [ReactiveX, First](https://reactivex.io/documentation/operators/first.html).
    @inlinable
    public func firstElement() async throws -> Element {
        guard let element = try await asObservable().firstAnswer() else { throw StreamError.noElements }
        return element
    }

    /// Waits for the first element that satisfies `predicate` and disposes upstream. Throws the error of the stream or of `predicate`, or
    /// `StreamError.noElements` if no element satisfies it.
    ///
    /// ```swift
    /// let even = try await numbers.firstElement { number in number.isMultiple(of: 2) }
    /// // --1--2--|
    /// // -----2           is returned
    /// ```
    ///
    /// Otherwise like ``firstElement()``. Source: [ReactiveX, First](https://reactivex.io/documentation/operators/first.html).
    @inlinable
    public func firstElement(where predicate: @escaping @Sendable (Element) throws -> Bool) async throws -> Element {
        try await filter(predicate).firstElement()
    }

    /// Waits for the completion and returns the last element. Throws the error, or `StreamError.noElements` if there is no element.
    ///
    /// ```swift
    /// let last = try await numbers.lastElement()
    /// // --1--2--|
    /// // --------2        is returned
    /// ```
    ///
    /// Keeps one element in memory. Source: [ReactiveX, Last](https://reactivex.io/documentation/operators/last.html).
    @inlinable
    public func lastElement() async throws -> Element {
        guard let element = try await takeLast(1).firstAnswer() else { throw StreamError.noElements }
        return element
    }

    /// Waits for the completion and returns all elements. Throws the error.
    ///
    /// ```swift
    /// let all = try await numbers.array()
    /// // --1--2--|
    /// // --------[1, 2]   is returned
    /// ```
    ///
    /// Stores all elements. Source: [RxSwift, Swift
    /// Concurrency](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/SwiftConcurrency.md).
    @inlinable
    public func array() async throws -> [Element] {
        try await toArray().firstAnswer() ?? []
    }
}

extension Observable {
    /// Waits for the first element and returns it, or `nil` if there is none. Upstream is disposed then. Throws the error of the stream.
    ///
    /// Cancelling the awaiting task disposes upstream and throws `CancellationError`.
    @inlinable
    func firstAnswer() async throws -> Element? {
        try Task.checkCancellation()
        return try await FirstAnswer<Element>().wait(for: self)
    }
}
