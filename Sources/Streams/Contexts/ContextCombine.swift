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
        joinAll(other()) { ($0, $1) }
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
        joinAny(other()) { ($0, $1) }
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
        joinAll(other) { (repeat each $0, $1) }
    }

    private final func combineOptionalParts<each Part, Other>(
        _ other: Observer<Other>
    ) -> Observer<(repeat (each Part)?, Other?)> where Model == (repeat (each Part)?) {
        joinAny(other) { parts, other in
            guard let parts else { return (repeat nil as (each Part)?, other) }
            return (repeat each parts, other)
        }
    }

    /// Combines so that both data are needed: the core of every `combine`.
    private final func joinAll<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model, Other) -> Result
    ) -> Observer<Result> {
        join(other, failsFast: true) { left, right in
            switch (left, right) {
            case (.data(let left), .data(let right)): .data(merge(left, right))
            case (.failure(let error), _), (_, .failure(let error)): .failure(error)
            case (.cancelled, _), (_, .cancelled): .cancelled
            default: nil
            }
        }
    }

    /// Combines so that one of the data is enough: the core of every `combineTolerance`.
    private final func joinAny<Other, Result>(
        _ other: Observer<Other>, _ merge: @escaping @Sendable (Model?, Other?) -> Result
    ) -> Observer<Result> {
        join(other, failsFast: false) { left, right in
            guard let left, let right else { return nil }
            switch (left, right) {
            case (.data, _), (_, .data): return .data(merge(left.data, right.data))
            case (.failure(let error), _), (_, .failure(let error)): return .failure(error)
            case (.cancelled, .cancelled): return .cancelled
            }
        }
    }

    /// Listens to this context and `other` at once; `result` says what their outcomes, nil while missing, make together; nil waits on.
    ///
    /// With `failsFast` an outcome that is not data cancels the other context, if it still runs.
    private final func join<Other, Result>(
        _ other: Observer<Other>, failsFast: Bool,
        _ result: @escaping @Sendable (Outcome<Model>?, Outcome<Other>?) -> Outcome<Result>?
    ) -> Observer<Result> {
        let again = recipe.map { recipe in
            { @Sendable [remade = other.recipeForOperand] () -> Observer<Result>? in
                guard let other = remade() else { return nil }
                return recipe()?.join(other, failsFast: failsFast, result)
            }
        }
        return derive(into: { Observer<Result>() }, again: again) { [weak other] left, operation in
            guard let other else { return .empty() }
            let link = ContextLink(other, operation)
            let right = other.outcomes(linkedBy: link)
            let (leftStop, rightStop) = (ReplaySubject<Void>(bufferSize: 1), ReplaySubject<Void>(bufferSize: 1))
            return Observable.combineLatest(
                left.beforeEnd { if failsFast { _ = (rightStop.onNext(()), link.dispose()) } }.take(until: leftStop).startWith(nil),
                right.beforeEnd { if failsFast { leftStop.onNext(()) } }.take(until: rightStop).startWith(nil)
            ) { ContextEvent(result($0, $1)) }
        }
    }

    /// Starts this operand once more: its operation, or, if nobody can feed it any more, the outcome that it had.
    private final var recipeForOperand: Recipe<Model> {
        if let recipe { return recipe }
        return { [weak self, core] in
            guard self == nil, let event = core.state.withLock({ $0.held.event }) else { return nil }
            let context = Observer<Model>()
            context.accept(event)
            return context
        }
    }
}

extension Observable {
    /// Runs `action` before it passes an outcome that is not data.
    fileprivate func beforeEnd<Model>(_ action: @escaping @Sendable () -> Void) -> Observable where Element == Outcome<Model>? {
        self.do(onNext: { if let outcome = $0, outcome.data == nil { action() } })
    }
}
