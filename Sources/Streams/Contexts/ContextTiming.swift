import Dispatch
import Schedulers

extension Observer {
    /// Emits data when no outcome came after it for `dueTime`, on `scheduler`. An error and a cancel pass at once and drop what waits.
    public final func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes.debounce(dueTime, scheduler: scheduler, passing: { $0?.data == nil }) }
    }

    /// Emits data and then, for `dueTime`, none; with `latest` the last one that came meanwhile is emitted at the end of that time.
    ///
    /// An error and a cancel pass at once and drop what waits.
    public final func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes.throttle(dueTime, latest: latest, scheduler: scheduler, passing: { $0?.data == nil }) }
    }

    /// Fails with `StreamError.timeout` when there is no outcome within `dueTime`, and cancels the operation then.
    ///
    /// What follows the first outcome has no limit. A `retry` behind it runs the operation again, with the same time for each attempt.
    public final func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        let expired: Outcome<Model>? = .failure(StreamError.timeout(after: dueTime))
        return derive { outcomes, _ in
            outcomes.timeout(dueTime, other: Observable.just(expired), scheduler: scheduler, onlyFirst: true)
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
        let recipe = recipe
        return derive { outcomes, operation in
            guard let recipe else { return outcomes }
            let failures = SerialState<(count: Int, last: (any Error)?)>((0, nil))
            let attempt = Observable<Outcome<Model>?>.deferred {
                guard let error = failures.value.last else { return outcomes }
                return recipe()?.linked(to: operation) ?? .just(.failure(error))
            }
            return attempt.map { outcome in
                guard case .failure(let error) = outcome else { return outcome }
                failures.value = (failures.value.count + 1, error)
                guard let delay = policy.delay(after: error, failures: failures.value.count) else { return outcome }
                operation.settle(false)
                throw NextAttempt(delay: delay)
            }.retry(when: { attempts in
                attempts.flatMap { attempt in
                    guard let delay = (attempt as? NextAttempt)?.delay, delay > .zero else { return Observable.just(0) }
                    return Observable.timer(delay, scheduler: scheduler)
                }
            })
        }
    }
}

/// Says that an operation is run again.
private struct NextAttempt: Error {
    let delay: Duration
}
