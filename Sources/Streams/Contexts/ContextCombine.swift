import Schedulers

extension Observer {
    /// Combines both results into a tuple; `other` is started immediately, so that the two run concurrently.
    ///
    /// ```swift
    /// banner()
    ///     .combine(products())
    ///     .combine(actions)
    ///     .map { banner, products, actions in Sections(banner, products, actions) }
    /// ```
    ///
    /// An error or a cancellation is forwarded immediately and cancels the other operation. New data is combined with the latest data of
    /// the other. Tuples are flat, or nested where the context requires that type.
    @inlinable public final func combine<Other>(_ other: @autoclosure () -> Observer<Other>) -> Observer<(Model, Other)> {
        join(other()) { .data(($0, $1)) }
    }

    /// Combines with an operation that a function starts: `.combine(self.getProducts)`.
    @inlinable public final func combine<Other>(_ other: () -> Observer<Other>) -> Observer<(Model, Other)> {
        combine(other())
    }

    /// Adds a result to a flat tuple.
    public final func combine<First, Second, each Part, Other>(
        _ other: @autoclosure () -> Observer<Other>
    ) -> Observer<(First, Second, repeat each Part, Other)> where Model == (First, Second, repeat each Part) {
        combineParts(other())
    }

    /// Adds the result of an operation that a function starts to a flat tuple.
    public final func combine<First, Second, each Part, Other>(
        _ other: () -> Observer<Other>
    ) -> Observer<(First, Second, repeat each Part, Other)> where Model == (First, Second, repeat each Part) {
        combineParts(other())
    }

    /// Combines both results as optionals; `other` is started immediately. Waits for both outcomes, and completes if at least one
    /// succeeded.
    ///
    /// ```swift
    /// promotions()
    ///     .combineTolerance(personalDiscounts())
    ///     .combineTolerance(stockItems)
    ///     .map { promotions, discounts, items in Promotions(promotions, discounts, items) }
    /// ```
    ///
    /// Fails only if none succeeded, with the error of the first. The result of a cancelled operation is `nil`; if all are cancelled, this
    /// context is cancelled too. Tuples are flat, or nested where the context requires that type.
    @inlinable public final func combineTolerance<Other>(_ other: @autoclosure () -> Observer<Other>) -> Observer<(Model?, Other?)> {
        joinTolerantly(other()) { ($0, $1) }
    }

    /// Combines with an operation that a function starts.
    @inlinable public final func combineTolerance<Other>(_ other: () -> Observer<Other>) -> Observer<(Model?, Other?)> {
        combineTolerance(other())
    }

    /// Adds a result to a flat tuple.
    public final func combineTolerance<First, Second, each Part, Other>(
        _ other: @autoclosure () -> Observer<Other>
    ) -> Observer<(First?, Second?, repeat (each Part)?, Other?)> where Model == (First?, Second?, repeat (each Part)?) {
        combineOptionalParts(other())
    }

    /// Adds the result of an operation that a function starts to a flat tuple.
    public final func combineTolerance<First, Second, each Part, Other>(
        _ other: () -> Observer<Other>
    ) -> Observer<(First?, Second?, repeat (each Part)?, Other?)> where Model == (First?, Second?, repeat (each Part)?) {
        combineOptionalParts(other())
    }
}

// With a pack that may be empty a closure's result could be inferred as Void, so the public functions begin with two parts.
extension Observer {
    private final func combineParts<each Part, Other>(
        _ other: Observer<Other>
    ) -> Observer<(repeat each Part, Other)> where Model == (repeat each Part) {
        join(other) { .data((repeat each $0, $1)) }
    }

    private final func combineOptionalParts<each Part, Other>(
        _ other: Observer<Other>
    ) -> Observer<(repeat (each Part)?, Other?)> where Model == (repeat (each Part)?) {
        joinTolerantly(other) { parts, other in
            guard let parts else { return (repeat nil as (each Part)?, other) }
            return (repeat each parts, other)
        }
    }

    /// Combines so that one success suffices: every outcome of either context becomes data.
    @inlinable final func joinTolerantly<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model?, Other?) -> Result
    ) -> Observer<Result> {
        outcomeAsData.join(other.outcomeAsData) { left, right in
            guard left.data == nil, right.data == nil else { return .data(merge(left.data, right.data)) }
            return (left.error ?? right.error).map { .failure($0) } ?? .cancelled
        }
    }

    @inlinable final var outcomeAsData: Observer<Outcome<Model>> {
        transform { outcome in .data(outcome) }
    }

    /// Subscribes to this context and `other`: the core of every `combine`. An outcome other than data is forwarded immediately, and
    /// cancels the other context unless that has terminated.
    @inlinable final func join<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model, Other) -> Outcome<Result>
    ) -> Observer<Result> {
        var again: Recipe?
        // An operand that cannot be started again takes part with its stored outcome.
        if let recipe, let otherAgain = other.recipe ?? other.core.latest().map({ outcome in { @Sendable in Observer<Other>(outcome) } }) {
            again = { Observer.restart(recipe).join(Observer<Other>.restart(otherAgain), merge) }
        }
        return Observer<Result>().run(again: again) { operation in
            let (left, right) = (operation.child(), operation.child())
            return Observable.combineLatest(
                events(for: operation).running(in: left, against: right),
                other.events(for: operation).running(in: right, against: left)
            ) { left, right in
                if let left = left?.data, let right = right?.data { return merge(left, right) }
                if let error = left?.error ?? right?.error { return .failure(error) }
                return left?.isCancelled == true || right?.isCancelled == true ? .cancelled : nil
            }
        }
    }
}

extension Observable {
    /// Begins with `nil`, and runs in `lifetime`; an outcome other than data disposes `other` before it is forwarded.
    @inlinable func running<Model>(in lifetime: Lifetime, against other: Lifetime) -> Observable where Element == Outcome<Model>? {
        Observable { downstream, _ in
            downstream.onNext(nil)
            lifetime.add { downstream.onCompleted() }
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard case .next(let outcome) = event else { return lifetime.dispose() }
                    if let outcome, outcome.data == nil { other.dispose() }
                    if !lifetime.isDisposed { downstream.onNext(outcome) }
                }, lifetime)
        }
    }
}
