import Schedulers

extension Context {
    /// Runs the operation again after an error, without end.
    public final func retry() -> Context<Model> {
        retry(.max)
    }

    /// Runs the operation again after an error, until there were `maxAttempts` attempts in all; the error of the last goes on.
    ///
    /// What runs again is the stream that the context at the beginning of the chain was made from (`asContext()`), with all operators on
    /// the way. A context that somebody feeds by hand has nothing to run again: its errors pass. Fewer than one attempt are taken as one.
    public final func retry(_ maxAttempts: Int) -> Context<Model> {
        retry(maxAttempts) { again, _ in again() }
    }

    /// The same with a pause before each further attempt.
    public final func retry(_ maxAttempts: Int, delay: Duration, scheduler: any Scheduler) -> Context<Model> {
        retry(maxAttempts) { again, pause in
            pause.disposable = scheduler.schedule(after: delay, again)
        }
    }

    private final func retry(
        _ maxAttempts: Int, _ schedule: @escaping @Sendable (_ again: @escaping @Sendable () -> Void, _ pause: SerialDisposable) -> Void
    ) -> Context<Model> {
        derive { outcomes, derivation in
            Observable { downstream, lifetime in
                let attemptsLeft = SerialState(maxAttempts)
                let pause = SerialDisposable()
                lifetime.add(pause)
                outcomes.start(
                    AnyObserver { event in
                        guard case .next(.failure) = event, attemptsLeft.value > 1, let again = derivation.restarter() else {
                            return downstream.on(event)
                        }
                        attemptsLeft.value -= 1
                        schedule(again, pause)
                    }, lifetime)
            }
        }
    }
}
