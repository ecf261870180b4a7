import Schedulers

/// Starts an operation again, in a new context. It retains no context.
@usableFromInline typealias Recipe<Model: Sendable> = @Sendable () -> Observer<Model>

extension Observer {
    /// The closure that starts the operation again; `nil` for a context whose outcomes are emitted manually.
    @inlinable final var recipe: Recipe<Model>? {
        guard let recipe = state.withLock({ $0.operation })?.recipe else { return nil }
        // Law 9: a recipe was made by a context of this type, and is stored untyped.
        return { unsafe unsafeDowncast(recipe(), to: Observer.self) }
    }

    /// Runs an operation whose outcomes, including its error, become those of this context. Every stream and operator builds on this.
    ///
    /// The operation retains this context, which references upstream weakly only. A cancellation is forwarded upstream once: it disposes
    /// the lifetime of the operation, and with it every subscription to `events(for:)` that was made for it.
    @inlinable final func run(
        scope: Scope? = nil, again recipe: Recipe<Model>?, _ makeEvents: (ContextOperation) -> Observable<Outcome<Model>?>
    ) -> Self {
        let input = ContextInput(self, in: Lifetime(scope: scope))
        let operation = ContextOperation(input, in: input.lifetime, journal: journal, recipe: recipe)
        state.withLock { $0.operation = operation }
        makeEvents(operation).start(AnyObserver.receiving { event in Self.receive(event, by: input) }, input.lifetime)
        return self
    }

    /// Handles an event from upstream, if the context still exists.
    @inlinable static func receive(_ event: consuming EventReference<Outcome<Model>?>, by input: ContextInput<Model>) {
        guard let event = event.take(in: input.lifetime), let context = input.receiver else { return }
        switch event {
        case .next(.cancelled?): context.end(cancelling: false)
        case .next(let outcome?): context.core.acceptStep(outcome)
        case .next(nil):
            // Only the followers of a forwarding context need to know that a stored outcome was erased again.
            guard context.latest.map({ $0 != nil }) ?? true || context.isForwarding else { return }
            context.core.acceptStep(nil)
            context.updateRetention()
        case .error(let error): context.core.acceptStep(.failure(error))
        case .completed: break
        }
    }

    /// Returns a context whose outcomes are those of this one transformed by `pipeline` (`nil` where one was erased): the primitive of the
    /// operators.
    ///
    /// The pipeline retains no context, so that a retry can reuse it.
    @inlinable final func derive<Result, Derived: Observer<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived,
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Derived {
        let again = recipe.map { recipe in { @Sendable in recipe().derive(into: makeDerived, pipeline) } }
        return makeDerived().run(again: again) { operation in pipeline(events(for: operation), operation) }
    }

    /// Derives a plain context in the same way.
    @inlinable final func derive<Result>(
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Observer<Result> {
        derive(into: { Observer<Result>() }, pipeline)
    }

    /// The events of this context, for the operation of a derived one: disposing the lifetime of this subscription cancels this context.
    ///
    /// If this context is a step that the derived context follows, and only forwards another context, the subscription moves to that one.
    /// So a follower of a context that polls by recursion follows its last step.
    @inlinable final func events(for operation: ContextOperation, asStep isStep: Bool = false) -> Observable<Outcome<Model>?> {
        let link = ContextLink(self, operation)
        shareCore()
        return Observable { [self] downstream, lifetime in
            let subscription = lifetime.child()
            subscription.add(link)
            subscribe(
                AnyObserver.receiving { event in
                    // Only followers need to know that this forwards a context that has no event yet.
                    guard event.isElement(where: { $0 == nil }), let self = link.source as? Observer, let next = self.forwarded,
                        isStep || next.latest == nil
                    else { return downstream.forward(event) }
                    guard isStep else { return }
                    link.leaveForwarding()
                    self.move(subscription, to: next, for: operation, downstream).start(downstream, lifetime)
                }, subscription)
            updateRetention()
        }
    }
}

// A context that only forwards another one, and has no outcome, signals that by an event without one.
extension Observer {
    @inlinable final var hasOutcome: Bool {
        latest.flatMap { $0 } != nil
    }

    @usableFromInline final var isForwarding: Bool {
        state.withLock { $0.operation }?.isForwarding == true
    }

    /// The context that this one only forwards: a subscriber may subscribe to it directly.
    @usableFromInline final var forwarded: Observer? {
        hasOutcome ? nil : state.withLock { $0.operation }?.forwarded as? Observer
    }

    /// Ends the subscription of `operation` to this context, and returns the stream that it follows instead.
    @usableFromInline final func move(
        _ subscription: Lifetime, to next: Observer, for operation: ContextOperation, _ downstream: AnyObserver<Outcome<Model>?>
    ) -> Observable<Outcome<Model>?> {
        let following = next.events(for: operation, asStep: true)
        subscription.dispose()
        updateRetention()
        if operation.isForwarding { downstream.onNext(nil) }
        return following
    }

    /// Lets upstream retain this context unless it only forwards another one and has no subscribers. If something else retains it, it still
    /// receives outcomes.
    @usableFromInline final func updateRetention(forSubscriber isUsed: Bool = false) {
        guard let operation = state.withLock({ $0.operation }), operation.isForwarding else { return }
        core.serializer.enqueue { [self] in
            operation.retained?.context = isUsed || core.isUsed || forwarded == nil ? self : nil
        }
    }
}

extension Observer {
    /// Returns a context that starts an operation for each outcome and takes over its outcomes, or maps an outcome to another one.
    ///
    /// The next outcome cancels the operation of the previous one, whose late outcome is dropped. When this context has terminated and only
    /// that operation remains, the derived context forwards it, and its followers subscribe to the operation instead. So a context that
    /// polls by recursion is a loop with constant memory.
    @inlinable final func follow<Result>(_ step: @escaping @Sendable (Outcome<Model>) -> Outcome<Observer<Result>>) -> Observer<Result> {
        derive { outcomes, operation in
            Observable { downstream, lifetime in
                let join = SwitchJoin(downstream, lifetime)
                let latest = SwitchJoin<Outcome<Result>?>.Latest(nil)
                let receive: @Sendable (Event<Outcome<Model>?>) -> Void = { event in
                    guard !join.outer.isDisposed else { return }
                    guard case .next(let outcome) = event else {
                        if join.outer.end() { join.completeOuter(after: latest) }
                        return join.run { if operation.beginForwarding() { downstream.onNext(nil) } }
                    }
                    // The link is added before the previous operation is disposed, so that a context that is returned twice is not
                    // cancelled in between.
                    let next: Observable<Outcome<Result>?> =
                        switch outcome.map(step) {
                        case .data(let context)?: context.events(for: operation, asStep: true)
                        case .failure(let error)?: .just(.failure(error))
                        case .cancelled?: .just(.cancelled)
                        case nil: .just(nil)
                        }
                    join.dispose(latest)
                    join.switchTo(next, latest)
                }
                outcomes.start(
                    AnyObserver { event in join.runStep { receive(event) } }, join.outer)
            }
        }
    }
}
