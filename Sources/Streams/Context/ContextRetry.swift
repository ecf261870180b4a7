import Schedulers

extension Context {
    /// Runs the operation again after an error, without end.
    public final func retry() -> Context<Model> {
        retry(.max)
    }

    /// Runs the operation again after an error, until there were `maxAttempts` attempts in all; the error of the last goes on.
    ///
    /// What runs again is the stream that the context at the beginning of the chain was made from (`asContext()`), behind the same operators.
    /// A context that somebody feeds by hand has nothing to run again: its errors pass. Fewer than one attempt are taken as one.
    public final func retry(_ maxAttempts: Int) -> Context<Model> {
        retry(maxAttempts) { again in
            again()
            return Disposables.create()
        }
    }

    /// The same with a pause before each further attempt.
    public final func retry(_ maxAttempts: Int, delay: Duration, scheduler: any Scheduler) -> Context<Model> {
        retry(maxAttempts) { again in scheduler.schedule(after: delay, again) }
    }

    private final func retry(
        _ maxAttempts: Int, _ schedule: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> any Disposable
    ) -> Context<Model> {
        let recipe = recipe
        return derive { outcomes, derivation in
            Observable { downstream, lifetime in
                guard let recipe else { return outcomes.start(downstream, lifetime) }
                let attempts = Attempts(downstream, lifetime, derivation, count: maxAttempts, recipe, schedule)
                attempts.hear(outcomes, in: lifetime.child())
            }
        }
    }
}

/// The attempts of a retry, one after the other.
private final class Attempts<Model: Sendable>: @unchecked Sendable {
    private let gate = Gate()
    private let downstream: AnyObserver<Outcome<Model>>
    private let lifetime: Lifetime
    private let derivation: Derivation
    private let recipe: Recipe<Model>
    private let schedule: @Sendable (_ again: @escaping @Sendable () -> Void) -> any Disposable
    private let pause = SerialDisposable()
    /// Law 2: used only inside the gate, like what follows.
    private var left: Int
    private var isPausing = false

    init(
        _ downstream: AnyObserver<Outcome<Model>>, _ lifetime: Lifetime, _ derivation: Derivation, count: Int,
        _ recipe: @escaping Recipe<Model>, _ schedule: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> any Disposable
    ) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.derivation = derivation
        self.recipe = recipe
        self.schedule = schedule
        left = count
        lifetime.add(pause)
    }

    /// Hears one attempt.
    func hear(_ outcomes: Observable<Outcome<Model>>, in upstream: Lifetime) {
        outcomes.start(
            gate.entering { [self] event in
                guard !upstream.isDisposed else { return }
                switch event {
                case .next(.failure(let error)) where left > 1 && !isPausing: retry(after: error, in: upstream)
                case .next: downstream.on(event)
                case .error, .completed:
                    upstream.end()
                    if !isPausing { downstream.onCompleted() }
                }
            }, upstream)
    }

    private func retry(after error: any Error, in upstream: Lifetime) {
        left -= 1
        isPausing = true
        derivation.settle(false)
        pause.disposable = schedule { [self] in
            gate.run { [self] in startNext(after: error, upstream) }
        }
    }

    private func startNext(after error: any Error, _ upstream: Lifetime) {
        guard !lifetime.isDisposed else { return }
        isPausing = false
        guard let context = recipe() else {
            downstream.onNext(.failure(error))
            if upstream.isDisposed { downstream.onCompleted() }
            return
        }
        upstream.dispose()
        let next = lifetime.child()
        next.add(ContextLink(context, derivation))
        hear(context.outcomes, in: next)
    }
}
