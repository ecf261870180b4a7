import Schedulers

extension ObservableType {
    /// Emits the elements received within `duration` of the subscription, and completes then, on `scheduler`.
    ///
    /// ```swift
    /// numbers.take(for: .seconds(7), scheduler: scheduler)
    /// // --1--2--3--|
    /// // --1--2-|
    /// ```
    ///
    /// Upstream is disposed then. Source: [ReactiveX, Take](https://reactivex.io/documentation/operators/take.html).
    @inlinable
    public func take(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        take(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }

    /// Skips the elements received within `duration` of the subscription, by a timer of `scheduler`.
    ///
    /// ```swift
    /// numbers.skip(for: .seconds(4), scheduler: scheduler)
    /// // --1--2--3--|
    /// // -----2--3--|
    /// ```
    ///
    /// Skips exactly the elements that ``take(for:scheduler:)`` emits: if an element and the timer are due at the same time, the one that
    /// was scheduled first counts. A `duration` that is not positive skips nothing.
    /// Source: [ReactiveX, Skip](https://reactivex.io/documentation/operators/skip.html).
    @inlinable
    public func skip(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        guard duration > .zero else { return asObservable() }
        return skip(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }
}
