import Schedulers

/// Starts an operation once more, in a context of its own. It holds no context.
typealias Recipe<Model: Sendable> = @Sendable () -> Observer<Model>

extension Observer {
    /// How to start the operation once more; nil where somebody feeds the context by hand.
    final var recipe: Recipe<Model>? {
        guard let recipe = state.withLock({ $0.operation })?.recipe else { return nil }
        return { unsafeDowncast(recipe(), to: Observer.self) }
    }

    /// Runs an operation whose outcomes become those of this context, and its error one too: behind every stream and every operator.
    ///
    /// What runs retains this context, which reaches upstream through weak handles only. A cancel goes upstream once: the operation's
    /// lifetime ends, and with it every subscription to `events(for:)` that was made for it.
    final func run(
        scope: Scope? = nil, again recipe: Recipe<Model>?, _ makeEvents: (ContextOperation) -> Observable<Outcome<Model>?>
    ) -> Self {
        let output = ContextOperation.Output(self)
        let operation = ContextOperation(output, journal: journal, scope: scope, recipe: recipe)
        state.withLock { $0.operation = operation }
        makeEvents(operation).start(
            AnyObserver { [lifetime = operation.lifetime] event in
                guard lifetime.admits(event), let context = output.context else { return }
                unsafeDowncast(context, to: Observer.self).take(event)
            }, operation.lifetime)
        return self
    }

    /// Takes what comes from upstream.
    private final func take(_ event: Event<Outcome<Model>?>) {
        switch event {
        case .next(.cancelled?): end(cancelling: false)
        case .next(let outcome):
            accept(outcome)
            if outcome == nil { detachIfUnused() }
        case .error(let error): accept(.failure(error))
        case .completed: break
        }
    }

    /// Makes a context whose outcomes are what `pipeline` makes of this one's (nil where one was erased): the primitive of the operators.
    ///
    /// The pipeline holds no context, so that a retry can use it again.
    final func derive<Result, Derived: Observer<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived,
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Derived {
        let again = recipe.map { recipe in { @Sendable in recipe().derive(into: makeDerived, pipeline) } }
        return makeDerived().run(again: again) { operation in pipeline(events(for: operation), operation) }
    }

    /// The same, into a plain context.
    final func derive<Result>(
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Observer<Result> {
        derive(into: { Observer<Result>() }, pipeline)
    }

    /// What happens in this context, for the operation of a derived one: ending the lifetime of this subscription cancels this context.
    ///
    /// Where this is a step that the other one follows, and only forwards another context, the subscription changes over to that one: so
    /// who follows a context that polls by recursion follows its last step.
    final func events(for operation: ContextOperation, asStep isStep: Bool = false) -> Observable<Outcome<Model>?> {
        let (link, events) = (ContextLink(self, operation), events)
        return Observable { [weak self] downstream, lifetime in
            let subscription = lifetime.child()
            subscription.add(link)
            events.start(
                AnyObserver { [weak self] event in
                    guard isStep, case .next(nil) = event, let next = self?.forwarded else { return downstream.on(event) }
                    link.leaveForwarding()
                    let following = next.events(for: operation, asStep: true)
                    subscription.dispose()
                    self?.detachIfUnused()
                    if operation.isForwarding { downstream.onNext(nil) }
                    following.start(downstream, lifetime)
                }, subscription)
        }
    }
}

// A context that only forwards another one, and has no outcome, says so by an event without one.
extension Observer {
    final var hasOutcome: Bool {
        latest.flatMap { $0 } != nil
    }

    /// The context that this one only forwards: who subscribes to this may subscribe to that instead.
    private final var forwarded: Observer? {
        hasOutcome ? nil : state.withLock { $0.operation }?.forwarded as? Observer
    }

    /// Has the operation retain this no more, if it only forwards outcomes and nobody is subscribed to them: who holds it still gets them.
    private final func detachIfUnused() {
        core.serializer.enqueue { [self] in
            guard core.observers.isEmpty, forwarded != nil else { return }
            state.withLock { $0.operation }?.retain(nil) { isDetached.store(true, ordering: .releasing) }
            // Who subscribed meanwhile, before it could see that, has its turn before this.
            core.serializer.enqueue { [self] in if !core.observers.isEmpty { reattach() } }
        }
    }

    /// Has the operation retain this again: somebody subscribes.
    @usableFromInline final func reattach() {
        state.withLock { $0.operation }?.retain(self) { isDetached.store(false, ordering: .releasing) }
    }
}
