import Schedulers
import Streams

/// Drivers and signals under virtual time.
public enum SharingScheduler {
    /// Runs `action` with drivers and signals delivered on `scheduler`, where their delays and intervals are measured too, instead of on the
    /// main loop.
    ///
    /// ```swift
    /// let scheduler = TestScheduler()
    /// try SharingScheduler.mock(scheduler: scheduler) {
    ///     let query = try scheduler.hot("-a-b|", of: String.self).asDriver(onErrorJustReturn: "")
    ///     scheduler.start { query.debounce(.seconds(3)) }.expect("----(b|)")
    /// }
    /// ```
    ///
    /// What is built, and what is subscribed to, while `action` runs uses that scheduler: advance the time in there too. Only the calling
    /// task is affected, so tests may run concurrently. Source: [RxSwift,
    /// SharedSequence](https://github.com/ReactiveX/RxSwift/blob/main/RxCocoa/Traits/SharedSequence/SchedulerType%2BSharedSequence.swift).
    @MainActor
    public static func mock<Result>(scheduler: any Scheduler, action: () throws -> Result) rethrows -> Result {
        try MainLoopDelivery.$mock.withValue(scheduler, operation: action)
    }
}
