import Schedulers

extension Observer {
    /// Both results as a tuple; `other` is started at once, so that the two run in parallel.
    ///
    /// ```swift
    /// banner()
    ///     .combine(products())
    ///     .combine(actions)
    ///     .map { banner, products, actions in Screen(banner, products, actions) }
    /// ```
    ///
    /// An error or a cancel passes at once and cancels the other. With new data it emits again once both have data. Results come out flat;
    /// where the type asks for it, nested.
    public final func combine<Other>(_ other: @autoclosure () -> Observer<Other>) -> Observer<(Model, Other)> {
        join(other()) { .data(($0, $1)) }
    }

    /// The same with a function that starts the other operation, as in the seed: `.combine(self.getProducts)`.
    public final func combine<Other>(_ other: () -> Observer<Other>) -> Observer<(Model, Other)> {
        combine(other())
    }

    /// One result more, flat.
    public final func combine<First, Second, each Part, Other>(
        _ other: @autoclosure () -> Observer<Other>
    ) -> Observer<(First, Second, repeat each Part, Other)> where Model == (First, Second, repeat each Part) {
        combineParts(other())
    }

    /// One result more, flat, the other operation given as a function.
    public final func combine<First, Second, each Part, Other>(
        _ other: () -> Observer<Other>
    ) -> Observer<(First, Second, repeat each Part, Other)> where Model == (First, Second, repeat each Part) {
        combineParts(other())
    }

    /// Both results as optionals; `other` is started at once. Waits until both have an outcome and completes if at least one succeeded.
    ///
    /// ```swift
    /// promotions()
    ///     .combineTolerance(personalDiscounts())
    ///     .combineTolerance(stockItems)
    ///     .map { promotions, discounts, items in Promotions(promotions, discounts, items) }
    /// ```
    ///
    /// Fails only if none succeeded, with the first one's error; a cancelled one counts as nil, and if all were cancelled so is this.
    /// Results come out flat; where the type asks for it, nested.
    public final func combineTolerance<Other>(_ other: @autoclosure () -> Observer<Other>) -> Observer<(Model?, Other?)> {
        joinTolerantly(other()) { ($0, $1) }
    }

    /// The same with a function that starts the other operation, as in the seed.
    public final func combineTolerance<Other>(_ other: () -> Observer<Other>) -> Observer<(Model?, Other?)> {
        combineTolerance(other())
    }

    /// One result more, flat.
    public final func combineTolerance<First, Second, each Part, Other>(
        _ other: @autoclosure () -> Observer<Other>
    ) -> Observer<(First?, Second?, repeat (each Part)?, Other?)> where Model == (First?, Second?, repeat (each Part)?) {
        combineOptionalParts(other())
    }

    /// One result more, flat, the other operation given as a function.
    public final func combineTolerance<First, Second, each Part, Other>(
        _ other: () -> Observer<Other>
    ) -> Observer<(First?, Second?, repeat (each Part)?, Other?)> where Model == (First?, Second?, repeat (each Part)?) {
        combineOptionalParts(other())
    }
}

// A pack that could be empty would let a closure's result be taken for Void, so the public ones begin with two parts.
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

    /// Combines so that one of the data is enough: every outcome of either context is data, of which both are needed.
    private final func joinTolerantly<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model?, Other?) -> Result
    ) -> Observer<Result> {
        outcomeAsData.join(other.outcomeAsData) { left, right in
            guard left.data == nil, right.data == nil else { return .data(merge(left.data, right.data)) }
            return (left.error ?? right.error).map { .failure($0) } ?? .cancelled
        }
    }

    private final var outcomeAsData: Observer<Outcome<Model>> {
        derive { outcomes, _ in outcomes.map { outcome in outcome.map { .data($0) } } }
    }

    /// Listens to this context and `other` at once: the core of every `combine`. An outcome that is not data passes at once, and cancels
    /// the other context if it still runs.
    private final func join<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model, Other) -> Outcome<Result>
    ) -> Observer<Result> {
        var again: Recipe<Result>?
        // An operand that cannot be started again takes part with the outcome that it has.
        if let recipe, let otherAgain = other.recipe ?? other.latest.map({ outcome in { @Sendable in Observer<Other>(outcome) } }) {
            again = { recipe().join(otherAgain(), merge) }
        }
        return Observer<Result>().run(again: again) { operation in
            let (left, right) = (operation.lifetime.child(), operation.lifetime.child())
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
    /// Begins with nil, and runs in `lifetime`; an outcome that is not data ends `other` before it passes.
    fileprivate func running<Model>(in lifetime: Lifetime, against other: Lifetime) -> Observable where Element == Outcome<Model>? {
        Observable { downstream, _ in
            downstream.onNext(nil)
            lifetime.add { downstream.onCompleted() }
            start(
                AnyObserver { event in
                    guard case .next(let outcome) = event else { return lifetime.dispose() }
                    if let outcome, outcome.data == nil { other.dispose() }
                    if !lifetime.isDisposed { downstream.onNext(outcome) }
                }, lifetime)
        }
    }
}
