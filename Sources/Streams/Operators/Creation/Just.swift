import Schedulers

extension Observable {
    /// Emits `element` and completes.
    ///
    /// ```swift
    /// Observable.just(1)
    /// // (1|)
    /// ```
    ///
    /// Emits synchronously while subscribing. Source: [ReactiveX, Just](https://reactivex.io/documentation/operators/just.html).
    @inlinable @inline(__always)
    public static func just(_ element: Element) -> Observable<Element> {
        // A closure that captures one reference needs no context of its own.
        let constant = Constant(element)
        return Observable(isSynchronous: true) { downstream, lifetime in
            downstream.finish(with: constant.value, in: lifetime)
        }
    }

    /// Emits `element` on `scheduler` and completes; otherwise like ``just(_:)``.
    @inlinable
    public static func just(_ element: Element, scheduler: any Scheduler) -> Observable<Element> {
        Observable { downstream, lifetime in
            ScheduledStart.plan(in: lifetime, on: scheduler) { downstream.finish(with: element, in: lifetime) }
        }
    }

    /// Completes immediately without an element.
    ///
    /// ```swift
    /// Observable<Int>.empty()
    /// // |
    /// ```
    ///
    /// Source: [ReactiveX, Empty](https://reactivex.io/documentation/operators/empty-never-throw.html).
    @inlinable
    public static func empty() -> Observable<Element> {
        Observable(isSynchronous: true) { downstream, _ in downstream.onCompleted() }
    }

    /// Never emits an event.
    ///
    /// ```swift
    /// Observable<Int>.never()
    /// // -----
    /// ```
    ///
    /// Source: [ReactiveX, Never](https://reactivex.io/documentation/operators/empty-never-throw.html).
    @inlinable
    public static func never() -> Observable<Element> {
        Observable { _, _ in }
    }

    /// Fails immediately with `error`.
    ///
    /// ```swift
    /// Observable<Int>.error(CancellationError())
    /// // #
    /// ```
    ///
    /// Source: [ReactiveX, Throw](https://reactivex.io/documentation/operators/empty-never-throw.html).
    @inlinable
    public static func error(_ error: any Error) -> Observable<Element> {
        Observable(isSynchronous: true) { downstream, _ in downstream.onError(error) }
    }

    /// Fails immediately with `error`: a synonym of ``error(_:)`` for `return .fail(with: error)`.
    @inlinable
    public static func fail(with error: any Error) -> Observable<Element> {
        .error(error)
    }
}
