import Schedulers

extension ObservableType {
    /// Sends the elements that come before `duration` has passed since the subscription, and completes then, on `scheduler`.
    ///
    /// ```swift
    /// numbers.take(for: .seconds(7), scheduler: scheduler)
    /// // --1--2--3--|
    /// // --1--2-|
    /// ```
    ///
    /// Upstream is let go then. Source: [ReactiveX, Take](https://reactivex.io/documentation/operators/take.html).
    public func take(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        take(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }

    /// Leaves out the elements that come before `duration` has passed since the subscription, by a timer of `scheduler`.
    ///
    /// ```swift
    /// numbers.skip(for: .seconds(4), scheduler: scheduler)
    /// // --1--2--3--|
    /// // -----2--3--|
    /// ```
    ///
    /// Leaves out what ``take(for:scheduler:)`` takes: of an element and the timer that come at the same time, the one that was
    /// scheduled first counts. A `duration` that is not positive leaves nothing out.
    /// Source: [ReactiveX, Skip](https://reactivex.io/documentation/operators/skip.html).
    public func skip(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        guard duration > .zero else { return asObservable() }
        return skip(until: Observable<Int>.timer(duration, scheduler: scheduler))
    }
}
