import Dispatch
import Schedulers

extension Observer {
    /// Emits data on `scheduler` when no other outcome has followed it for `dueTime`. Errors and cancellations are forwarded immediately
    /// and discard pending data.
    @inlinable public final func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes._debounce(dueTime, scheduler, passing: { $0?.data == nil }) }
    }

    /// Emits data and then ignores further data for `dueTime`. With `latest`, the last ignored data is emitted when that time has elapsed.
    ///
    /// Errors and cancellations are forwarded immediately and discard pending data.
    @inlinable public final func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in outcomes._throttle(dueTime, latest: latest, scheduler, passing: { $0?.data == nil }) }
    }

    /// Fails with `StreamError.timeout` if there is no outcome within `dueTime`, and cancels the operation.
    ///
    /// Outcomes after the first have no time limit. A `retry` downstream runs the operation again, with the same time for each attempt.
    @inlinable public final func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observer<Model> {
        derive { outcomes, _ in
            let expired = Observable<Outcome<Model>?>.error(StreamError.timeout(after: dueTime))
            return outcomes.timeout(dueTime, other: expired, scheduler: scheduler, onlyFirst: true)
        }
    }

    /// Runs the operation again after every error, indefinitely.
    @inlinable public final func retry() -> Observer<Model> {
        retry(.max)
    }

    /// Runs the operation again after an error, up to `maxAttempts` attempts in total; the error of the last attempt is forwarded.
    ///
    /// The operation that runs again is the stream from which the first context of the chain was made (`asContext()`), with the same
    /// operators. If outcomes are emitted manually, there is nothing to run again, and errors are forwarded. Values below one are treated
    /// as one.
    @inlinable public final func retry(_ maxAttempts: Int) -> Observer<Model> {
        retry(.delay(.zero, maxAttempts: maxAttempts), scheduler: ImmediateScheduler.instance)
    }

    /// Runs the operation again after an error according to `policy`, which determines the errors, the number of attempts and the delays,
    /// on `scheduler`.
    @inlinable public final func retry(
        _ policy: RetryPolicy, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observer<Model> {
        guard let recipe else { return transform { outcome in outcome } }
        return derive { outcomes, operation in
            // The stream is taken when it starts: one that has yet to be started retains its context.
            let first = SerialState<Observable<Outcome<Model>?>?>(outcomes)
            return Observable.deferred {
                first.value.take() ?? Observer.restart(recipe).events(for: operation)
            }.map { outcome in
                guard case .failure(let error) = outcome, policy.shouldRetry(error) else { return outcome }
                throw error
            }.retry(policy, scheduler: scheduler)
        }
    }
}
