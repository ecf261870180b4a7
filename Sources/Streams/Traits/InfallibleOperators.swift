import Dispatch
import Schedulers

/// The operators of `Infallible` in addition to those of all streams that never fail: those that need a scheduler, which drivers and
/// signals have already.
extension InfallibleSequence where Kind == InfallibleKind {
    /// Delivers all events on `scheduler`, like `observe(on:)` of streams.
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().observe(on: scheduler))
    }

    /// Delivers all events on `queue`, like `observe(on:)` of streams.
    public func observe(on queue: DispatchQueue) -> Self {
        Self(infallible: asObservable().observe(on: queue))
    }

    /// Subscribes upstream on `scheduler`, like `subscribe(on:)` of streams.
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().subscribe(on: scheduler))
    }

    /// Emits an element when none followed it for `dueTime`, like `debounce` of streams.
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits an element and then, for `dueTime`, none, like `throttle` of streams.
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Emits each element, and the completion, `dueTime` later.
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// Shares one subscription upstream among all subscribers, like `share` of streams.
    public func share(replay count: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Self {
        Self(infallible: asObservable().share(replay: count, scope: scope))
    }
}
