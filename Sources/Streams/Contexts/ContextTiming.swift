import Dispatch
import Schedulers

extension Observer {
    /// Emits data when no outcome came after it for `dueTime`, on `scheduler`. An error and a cancel pass at once and drop what waits.
    public final func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes._debounce(dueTime, scheduler, passing: { $0?.data == nil }) }
    }

    /// Emits data and then, for `dueTime`, none; with `latest` the last one that came meanwhile is emitted at the end of that time.
    ///
    /// An error and a cancel pass at once and drop what waits.
    public final func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes._throttle(dueTime, latest: latest, scheduler, passing: { $0?.data == nil }) }
    }

    /// Fails with `StreamError.timeout` when there is no outcome within `dueTime`, and cancels the operation then.
    ///
    /// What follows the first outcome has no limit. A `retry` behind it runs the operation again, with the same time for each attempt.
    public final func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in
            let expired = Observable<Outcome<Model>?>.error(StreamError.timeout(after: dueTime))
            return outcomes.timeout(dueTime, other: expired, scheduler: scheduler, onlyFirst: true)
        }
    }

    /// Runs the operation again after an error, without end.
    public final func retry() -> Observer<Model> {
        retry(.max)
    }

    /// Runs the operation again after an error, until there were `maxAttempts` attempts in all; the error of the last passes.
    ///
    /// What runs again is the stream that the context at the beginning of the chain was made from (`asContext()`), behind the same operators.
    /// A context that somebody feeds by hand has nothing to run again: its errors pass. Fewer than one attempt are taken as one.
    public final func retry(_ maxAttempts: Int) -> Observer<Model> {
        retry(.delay(.zero, maxAttempts: maxAttempts), scheduler: ImmediateScheduler.instance)
    }

    /// Runs the operation again after an error as `policy` says: after which errors, how often, and how long it waits, on `scheduler`.
    public final func retry(
        _ policy: RetryPolicy, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observer<Model> {
        guard let recipe else { return derive { outcomes, _ in outcomes } }
        return derive { outcomes, operation in
            let isFirst = SerialState(true)
            return Observable.deferred {
                defer { isFirst.value = false }
                return isFirst.value ? outcomes : recipe().events(for: operation)
            }.map { outcome in
                guard case .failure(let error) = outcome, policy.shouldRetry(error) else { return outcome }
                throw error
            }.retry(policy, scheduler: scheduler)
        }
    }
}
