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

    /// Leaves out the elements that come before `duration` has passed since the subscription, by the clock of `scheduler`.
    ///
    /// ```swift
    /// numbers.skip(for: .seconds(4), scheduler: scheduler)
    /// // --1--2--3--|
    /// // -----2--3--|
    /// ```
    ///
    /// Runs where upstream sends; needs no timer. Source: [ReactiveX, Skip](https://reactivex.io/documentation/operators/skip.html).
    public func skip(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let isOpen = SerialState(false)
            let opening = scheduler.now + duration
            start(
                downstream.receiving { element in
                    guard isOpen.value || scheduler.now >= opening else { return }
                    isOpen.value = true
                    downstream.onNext(element)
                }, lifetime)
        }
    }
}
