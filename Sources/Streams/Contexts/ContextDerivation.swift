import Schedulers

extension Observer {
    /// Makes a context whose events are what `pipeline` makes of this one's outcomes (nil where one was cleared): the one primitive of all
    /// operators.
    ///
    /// This context retains the derived one, which reaches this one through a weak handle only. A cancel of the derived one goes upstream
    /// once: its lifetime ends, and with it every subscription that the pipeline made with `linked(to:)`. The pipeline holds no context, so
    /// that `recipe` can use it again for a retry.
    final func derive<Result, Derived: Observer<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived, again recipe: Recipe<Result>?,
        events pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<ContextEvent<Result>>
    ) -> Derived {
        let derived = makeDerived()
        let output = ContextOperation.Output(derived)
        let operation = ContextOperation(output, journal: derived.journal)
        derived.attach(operation)
        derived.recipe = recipe
        let lifetime = operation.lifetime
        pipeline(linked(to: operation), operation).start(
            AnyObserver { event in
                guard lifetime.admits(event) else { return }
                guard case .next(let event) = event, let target = output.context else { return }
                let derived = unsafeDowncast(target, to: Derived.self)
                operation.settle()
                if event.isCancelled { return derived.end(cancelling: false) }
                derived.accept(event)
                if case .forwards = event { derived.detachIfUnused() }
            }, lifetime)
        return derived
    }

    /// The same with a pipeline of outcomes.
    final func derive<Result, Derived: Observer<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived,
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Derived {
        let again = recipe.map { recipe in
            { @Sendable () -> Observer<Result>? in recipe()?.derive(into: makeDerived, pipeline) }
        }
        return derive(into: makeDerived, again: again) { outcomes, operation in
            pipeline(outcomes, operation).map { ContextEvent($0) }
        }
    }

    /// The same, into a plain context.
    final func derive<Result>(
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Observer<Result> {
        derive(into: { Observer<Result>() }, pipeline)
    }

    /// The outcomes for a derived context: ending the lifetime of this subscription cancels this context.
    final func linked(to operation: ContextOperation) -> Observable<Outcome<Model>?> {
        outcomes(linkedBy: ContextLink(self, operation))
    }

    final func outcomes(linkedBy link: ContextLink) -> Observable<Outcome<Model>?> {
        events(linkedBy: link).compactMap { event in
            if case .forwards = event { nil } else { .some(event.outcome) }
        }
    }

    /// What happens in this context, for a derived one that is linked to it by `link`.
    final func events(linkedBy link: ContextLink) -> Observable<ContextEvent<Model>> {
        let events = events
        return Observable { downstream, lifetime in
            lifetime.add(link)
            events.start(downstream, lifetime)
        }
    }
}
