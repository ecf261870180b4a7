import Dispatch
import Schedulers

/// What an `Infallible` has beside the operators of all streams that never fail: those that need a scheduler, which drivers and signals have
/// chosen already.
extension InfallibleSequence where Kind == InfallibleKind {
    /// Delivers all events on `scheduler`, as `observe(on:)` of streams.
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(unfailing: asObservable().observe(on: scheduler))
    }

    /// Delivers all events on `queue`, as `observe(on:)` of streams.
    public func observe(on queue: DispatchQueue) -> Self {
        Self(unfailing: asObservable().observe(on: queue))
    }

    /// Subscribes upstream on `scheduler`, as `subscribe(on:)` of streams.
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(unfailing: asObservable().subscribe(on: scheduler))
    }

    /// Emits an element when none followed it for `dueTime`, as `debounce` of streams.
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(unfailing: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits an element and then, for `dueTime`, none, as `throttle` of streams.
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Self {
        Self(unfailing: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Emits each element, and the completion, `dueTime` later.
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(unfailing: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// One subscription upstream for all subscribers, as `share` of streams.
    public func share(replay count: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Self {
        Self(unfailing: asObservable().share(replay: count, scope: scope))
    }
}
