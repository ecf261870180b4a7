import Schedulers

extension Observable {
    /// Runs `operation` in a task for each subscriber, emits its result and completes, or fails if it throws.
    ///
    /// ```swift
    /// Observable.fromAsync { try await service.profile() }
    /// // --(p|)
    /// ```
    ///
    /// Disposing cancels the task. The element is emitted where the task runs. The task has the given priority, or that of the subscribing
    /// task. Source: [RxSwift, Swift Concurrency](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/SwiftConcurrency.md).
    @inlinable
    public static func fromAsync(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Element
    ) -> Observable<Element> {
        running(priority) { downstream, lifetime in
            let element = try await operation()
            if !lifetime.isDisposed { downstream.onNext(element) }
        }
    }

    /// Emits the elements of an async sequence, iterated in a task for each subscriber; disposing cancels the task.
    ///
    /// ```swift
    /// Observable.from(lines)
    /// // --a--b--|
    /// ```
    ///
    /// Elements are emitted where the task runs. The next element is requested when the previous one has been delivered. When the consumer
    /// leaves, the iterator is asked once more, as a `for` loop in a cancelled task does, so that its producer can end. Source: [RxSwift,
    /// Swift Concurrency](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/SwiftConcurrency.md).
    @inlinable
    public static func from<Source: AsyncSequence & Sendable>(_ elements: Source) -> Observable<Element>
    where Source.Element == Element {
        let constant = Constant(elements)
        return running { downstream, lifetime in
            var iterator = constant.value.makeAsyncIterator()
            try await downstream.emitAll(in: lifetime) { try await iterator.next() }
        }
    }

    /// Returns a stream that `body` emits from a task, which is cancelled with the subscription; completes when `body` returns.
    @inlinable
    static func running(
        _ priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (AnyObserver<Element>, Lifetime) async throws -> Void
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            TaskMember.start(in: lifetime, priority: priority) {
                do {
                    try await body(downstream, lifetime)
                    if !lifetime.isDisposed { downstream.onCompleted() }
                } catch {
                    if !lifetime.isDisposed { downstream.onError(error) }
                }
            }
        }
    }
}

extension AnyObserver {
    /// Emits the results of `next`, one after the other, until it returns `nil` or `lifetime` is disposed; waits while `lifetime` is
    /// suspended.
    @inlinable
    func emitAll(in lifetime: Lifetime, _ next: () async throws -> Element?) async throws {
        while await lifetime.untilMayEmit() {
            guard let element = try await next() else { return }
            if !lifetime.isDisposed { onNext(element) }
        }
        // Disposed between two elements. Cancellation reaches a producer through `next` only: an `AsyncStream` would be filled for ever.
        // By law 4 this task ends; the reference to it does not leave the closure.
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        _ = try await next()
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns this sequence as a stream, iterated anew for each subscriber: ``Observable/from(_:)-(Source)``.
    @inlinable
    public func asObservable() -> Observable<Element> {
        .from(self)
    }
}

extension Task where Failure: Error {
    /// Returns the result of this task as a stream of one element. Disposing does not cancel the task, since others may await it. Otherwise
    /// like ``Observable/fromAsync(priority:_:)``.
    @inlinable
    public func asObservable() -> Observable<Success> {
        .fromAsync { try await value }
    }
}
