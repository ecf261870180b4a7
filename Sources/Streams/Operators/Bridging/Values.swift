import Schedulers

extension ObservableType {
    /// The elements for `for try await`; while 256 elements wait for the loop, the source is suspended.
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
        values(overflow: .standard)
    }

    /// The elements for `for try await`, buffered as `policy` defines; otherwise like ``values``.
    @inlinable
    public func values(overflow policy: BufferingPolicy) -> ElementSequence<Element, any Error> {
        ElementSequence(asObservable(), policy)
    }
}

extension InfallibleSequence {
    /// The elements for `for await`; while 256 elements wait for the loop, the source is suspended. Otherwise like
    /// ``ObservableType/values``.
    @inlinable public var values: ElementSequence<Element, Never> {
        values(overflow: .standard)
    }

    /// The elements for `for await`, buffered as `policy` defines; otherwise like ``ObservableType/values``. An overflow with the policy
    /// `fail` ends the loop, and is reported to `Hooks.unhandledError`.
    @inlinable
    public func values(overflow policy: BufferingPolicy) -> ElementSequence<Element, Never> {
        ElementSequence(asObservable(), policy)
    }
}

/// A stream as an `AsyncSequence`. A burst is passed to the awaiting task at once, not element by element.
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

    /// Iterates over the elements of one subscription, which is disposed with it.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let subscription: ElementSubscription<Element, Failure>
        /// The elements that were taken from the queue and not returned yet.
        @usableFromInline var batch = ElementQueue<Element>()

        @inlinable
        init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
            subscription = ElementSubscription(source, policy)
        }

        /// Returns the next element, or `nil` at the end and when the task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
            if batch.isEmpty { try await subscription.buffer.takeBatch(into: &batch) }
            return batch.popFirst()
        }
    }
}

/// The subscription of one iterator, disposed with it.
@usableFromInline
final class ElementSubscription<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline let buffer: ElementBuffer<Element, Failure>

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        buffer = ElementBuffer(policy)
        buffer.subscribe(to: source)
    }

    @inlinable
    deinit {
        buffer.close()
    }
}
