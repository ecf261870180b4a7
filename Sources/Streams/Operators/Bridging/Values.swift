import Schedulers

extension ObservableType {
    /// The elements for `for try await`; everything that comes before its turn waits.
    ///
    /// ```swift
    /// for try await quote in quotes.values { show(quote) }
    /// // --a--b--|
    /// // --a--b--|
    /// ```
    ///
    /// Each loop subscribes anew. Leaving the loop, or cancelling its task, disposes the subscription; a cancelled loop ends.
    /// Source: [RxSwift, Swift Concurrency](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/SwiftConcurrency.md).
    @inlinable public var values: ElementSequence<Element, any Error> {
        values(overflow: .unbounded)
    }

    /// The elements for `for try await`, of which at most so many wait as `policy` says; otherwise as ``values``.
    @inlinable
    public func values(overflow policy: BufferingPolicy) -> ElementSequence<Element, any Error> {
        ElementSequence(asObservable(), policy)
    }
}

extension InfallibleSequence {
    /// The elements for `for await`; everything that comes before its turn waits. Otherwise as ``ObservableType/values``.
    @inlinable public var values: ElementSequence<Element, Never> {
        values(overflow: .unbounded)
    }

    /// The elements for `for await`, of which at most so many wait as `policy` says; otherwise as ``ObservableType/values``.
    @inlinable
    public func values(overflow policy: BufferingPolicy) -> ElementSequence<Element, Never> {
        ElementSequence(asObservable(), policy)
    }
}

/// A stream as an `AsyncSequence`. A burst crosses to the awaiting task at once, not element by element.
public struct ElementSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    @usableFromInline let source: Observable<Element>
    @usableFromInline let policy: BufferingPolicy

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        self.source = source
        self.policy = policy
    }

    /// Subscribes.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(source, policy)
    }

    /// Takes the elements of one subscription, which is disposed with it.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let listening: Listening<Element, Failure>
        /// What was taken and not returned yet.
        @usableFromInline var batch = ElementQueue<Element>()

        @inlinable
        init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
            listening = Listening(source, policy)
        }

        /// The next element, or nil at the end and when the task was cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
            if batch.isEmpty { try await listening.inbox.takeBatch(into: &batch) }
            return batch.popFirst()
        }
    }
}

/// The subscription of one iterator: ends with it.
@usableFromInline
final class Listening<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline let inbox: Inbox<Element, Failure>

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        inbox = Inbox(policy)
        inbox.listen(to: source)
    }

    @inlinable
    deinit {
        inbox.close()
    }
}
