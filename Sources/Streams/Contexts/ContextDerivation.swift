import Schedulers

/// Starts an operation again, in a new context, which it returns. It retains no context.
@usableFromInline typealias Recipe = @Sendable () -> any AnyObject & Sendable

extension Observer {
    /// The closure that starts the operation again; `nil` for a context whose outcomes are emitted manually.
    @inlinable final var recipe: Recipe? { core.progress.withLock { $0.recipe } }

    /// Starts the operation of a context for this model again.
    @inlinable static func restart(_ recipe: Recipe) -> Observer {
        // Law 9: a recipe was made by a context of this type, and is stored untyped.
        unsafe unsafeDowncast(recipe(), to: Observer.self)
    }

    /// Returns a new operation of this context.
    @inlinable final func begin(scope: Scope? = nil, again recipe: Recipe?) -> ContextOperation {
        let operation = ContextOperation(of: core, scope: scope)
        core.progress.withLock { progress in
            progress.operation = operation
            progress.recipe = recipe
        }
        return operation
    }

    /// Runs an operation whose outcomes, including its error, become those of this context. Every stream and operator builds on this.
    ///
    /// The operation retains this context. A cancellation is forwarded upstream once: it disposes the operation, and with it every
    /// subscription to `events(for:)` that was made for it.
    @inlinable final func run(
        scope: Scope? = nil, again recipe: Recipe?, _ makeEvents: (ContextOperation) -> Observable<Outcome<Model>?>
    ) -> Self {
        let operation = begin(scope: scope, again: recipe)
        let input = ContextInput(self, operation)
        if core.mayForward { operation.retention = input }
        makeEvents(operation).start(AnyObserver.receiving { event in input.receive(event) }, operation)
        return self
    }

    /// Returns a context whose outcomes are those of this one transformed by `pipeline` (`nil` where one was erased).
    ///
    /// The pipeline retains no context, so that a retry can reuse it.
    @inlinable final func derive<Result>(
        mayForward: Bool = false,
        _ pipeline: @escaping @Sendable (Observable<Outcome<Model>?>, ContextOperation) -> Observable<Outcome<Result>?>
    ) -> Observer<Result> {
        var again: Recipe?
        if let recipe { again = { Observer.restart(recipe).derive(mayForward: mayForward, pipeline) } }
        return Observer<Result>(mayForward: mayForward).run(again: again) { operation in pipeline(events(for: operation), operation) }
    }

    /// Returns a context whose outcomes are those of this one, each transformed; `nil` erases the stored one.
    ///
    /// It does what `derive` does for a pipeline that only maps, without a stream in between.
    @inlinable final func transform<Result, Derived: Observer<Result>>(
        into makeDerived: @escaping @Sendable () -> Derived,
        _ transform: @escaping @Sendable (Outcome<Model>) -> Outcome<Result>?
    ) -> Derived {
        var again: Recipe?
        if let recipe { again = { Observer.restart(recipe).transform(into: makeDerived, transform) } }
        let derived = makeDerived()
        let operation = derived.begin(again: again)
        core.subscribe(
            AnyObserver.receiving { [core] event in
                guard !core.announcesForwarding(event), case .next(let outcome)? = event.take(in: operation) else { return }
                derived.core.receive(outcome.flatMap(transform))
            }, in: operation, for: operation)
        return derived
    }

    /// Transforms the outcomes into those of a plain context.
    @inlinable final func transform<Result>(
        _ transform: @escaping @Sendable (Outcome<Model>) -> Outcome<Result>?
    ) -> Observer<Result> {
        self.transform(into: { Observer<Result>() }, transform)
    }

    /// The events of this context, for the operation of a derived one: disposing the lifetime of this subscription cancels this context.
    @inlinable final func events(for operation: ContextOperation, asStep isStep: Bool = false) -> Observable<Outcome<Model>?> {
        // A stream that has yet to be started retains its context.
        Observable { [self] downstream, lifetime in
            core.subscribe(downstream, in: lifetime, for: operation, asStep: isStep)
        }
    }
}

extension ContextInput {
    /// Handles an event from upstream.
    @inlinable func receive(_ event: consuming EventReference<Outcome<Model>?>) {
        guard let event = event.take(in: operation) else { return }
        switch event {
        case .next(let outcome): core.receive(outcome)
        case .error(let error): core.acceptStep(.failure(error))
        case .completed: break
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
        derive(mayForward: true) { outcomes, operation in
            Observable { downstream, lifetime in
                let join = SwitchJoin(downstream, lifetime)
                let outer = SwitchJoin<Outcome<Result>?>.Outer(of: join)
                let receive: @Sendable (Event<Outcome<Model>?>) -> Void = { event in
                    guard !outer.isDisposed else { return }
                    guard case .next(let outcome) = event else {
                        if outer.end() { join.complete(outer) }
                        return join.run { if operation.beginForwarding() { downstream.onNext(nil) } }
                    }
                    let following = outcome.map(step)
                    // A context that is returned twice is not cancelled in between.
                    if let context = following?.data { operation.leave(context.core) }
                    let next: Observable<Outcome<Result>?> =
                        switch following {
                        case .data(let context)?: context.events(for: operation, asStep: true)
                        case .failure(let error)?: .just(.failure(error))
                        case .cancelled?: .just(.cancelled)
                        case nil: .just(nil)
                        }
                    join.disposeLatest(of: outer)
                    join.switchTo(next, outer)
                }
                outcomes.start(
                    AnyObserver { event in join.runStep { receive(event) } }, outer)
            }
        }
    }
}
