import Schedulers

extension Context {
    /// Makes a context whose outcomes are what `pipeline` makes of this one's: the one primitive of all operators.
    ///
    /// This context holds the derived one, which reaches this one through a weak handle only. A cancel of the derived one goes upstream
    /// once: its lifetime ends, and with it every subscription that the pipeline made with `linked(to:)`.
    final func derive<Result, Derived: Context<Result>>(
        into derived: Derived, again recipe: Recipe<Result>?,
        _ pipeline: (_ outcomes: Observable<Outcome<Model>>, _ derivation: Derivation) -> Observable<Outcome<Result>>
    ) -> Derived {
        let derivation = Derivation(journal: derived.journal)
        derived.attach(derivation)
        derived.recipe = recipe
        let lifetime = derivation.lifetime
        pipeline(linked(to: derivation), derivation).start(
            AnyObserver { event in
                guard event.isStopEvent ? lifetime.end() : !lifetime.isDisposed else { return }
                derivation.settle()
                switch event {
                case .next(.cancelled): derived.acceptCancelFromUpstream()
                case .next(let outcome): derived.accept(outcome)
                case .error(let error): derived.accept(.failure(error))
                case .completed: break
                }
            }, lifetime)
        return derived
    }

    /// The same with a pipeline that holds no context, so that it can be used again for a retry.
    final func derive<Result, Derived: Context<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived,
        _ pipeline: @escaping @Sendable (_ outcomes: Observable<Outcome<Model>>, _ derivation: Derivation) -> Observable<Outcome<Result>>
    ) -> Derived {
        let again = recipe.map { recipe in
            { @Sendable () -> Context<Result>? in recipe()?.derive(into: makeDerived, pipeline) }
        }
        return derive(into: makeDerived(), again: again, pipeline)
    }

    /// The same, into a plain context.
    final func derive<Result>(
        _ pipeline: @escaping @Sendable (_ outcomes: Observable<Outcome<Model>>, _ derivation: Derivation) -> Observable<Outcome<Result>>
    ) -> Context<Result> {
        derive(into: { Context<Result>() }, pipeline)
    }

    /// The outcomes for a derived context: ending the lifetime of this subscription cancels this context.
    final func linked(to derivation: Derivation) -> Observable<Outcome<Model>> {
        let outcomes = outcomes
        return Observable { [weak self] downstream, lifetime in
            if let self { lifetime.add(ContextLink(self, derivation)) }
            outcomes.start(downstream, lifetime)
        }
    }

    /// Makes a context that follows each outcome with another one, or with an operation whose outcomes it takes over.
    ///
    /// The operation that an earlier outcome started is cancelled by the next one; its late outcome is dropped.
    final func follow<Result>(_ step: @escaping @Sendable (Outcome<Model>) throws -> NextStep<Result>) -> Context<Result> {
        derive { outcomes, derivation in
            Observable { downstream, lifetime in
                let follower = Follower(downstream, lifetime, derivation)
                let outer = lifetime.child()
                outcomes.start(
                    AnyObserver { event in
                        guard !outer.isDisposed else { return }
                        switch event {
                        case .next(let outcome): follower.take { try step(outcome) }
                        case .error, .completed: follower.switcher.outerCompleted(outer)
                        }
                    }, outer)
            }
        }
    }
}

/// What an outcome is followed with.
enum NextStep<Model: Sendable> {
    case outcome(Outcome<Model>)
    case operation(Context<Model>)
}

/// Runs one operation at a time for a context that follows outcomes.
private final class Follower<Model: Sendable>: Sendable {
    let switcher: Switcher<Outcome<Model>>
    private let derivation: Derivation
    /// The handle on the operation that runs. Law 2: used only where the outcomes that are followed come.
    private let current = SerialState<ContextLink<Model>?>(nil)

    init(_ downstream: AnyObserver<Outcome<Model>>, _ lifetime: Lifetime, _ derivation: Derivation) {
        switcher = Switcher(downstream, lifetime)
        self.derivation = derivation
    }

    func take(_ step: () throws -> NextStep<Model>) {
        let next: NextStep<Model>
        do { next = try step() } catch { next = .outcome(.failure(error)) }
        switch next {
        case .outcome(let outcome):
            current.value = nil
            switcher.letGo()
            switcher.run(.just(outcome))
        case .operation(let context):
            // Made before the one before is let go: a context that is returned twice, or shared, is not cancelled in between.
            let link = ContextLink(context, derivation)
            if let before = current.value, before.leads(to: context) { before.disarm() }
            current.value = link
            let start = context.outcomes.start
            switcher.letGo()
            switcher.run(
                Observable { downstream, lifetime in
                    lifetime.add(link)
                    start(downstream, lifetime)
                })
        }
    }
}
