import Schedulers

extension Context {
    /// Hears this context and `other` at once; `result` says what their outcomes, nil while missing, make together; nil waits on.
    ///
    /// With `failsFast` an outcome that is not data lets the other context go: it is cancelled if it still runs.
    final func join<Other, Result>(
        _ other: Context<Other>, failsFast: Bool,
        _ result: @escaping @Sendable (Outcome<Model>?, Outcome<Other>?) -> Outcome<Result>?
    ) -> Context<Result> {
        let again = recipe.map { recipe in
            { @Sendable [remade = other.recipeForOperand] () -> Context<Result>? in
                guard let other = remade() else { return nil }
                return recipe()?.join(other, failsFast: failsFast, result)
            }
        }
        return derive(into: Context<Result>(), again: again) { outcomes, derivation in
            let others = other.linked(to: derivation)
            return Observable { downstream, lifetime in
                let pair = OutcomePair(downstream, lifetime, failsFast: failsFast, result)
                outcomes.start(pair.observer(of: pair.left, against: pair.right), pair.left.lifetime)
                others.start(pair.observer(of: pair.right, against: pair.left), pair.right.lifetime)
            }
        }
    }

    /// Starts this operand once more: its operation, or, if nobody can feed it any more, the outcome that it had.
    private final var recipeForOperand: Recipe<Model> {
        if let recipe { return recipe }
        return { [weak self, outcome = core.latest() as Outcome<Model>?] in
            guard self == nil, let outcome else { return nil }
            let context = Context<Model>()
            context.accept(outcome)
            return context
        }
    }

    /// Joins so that both data are needed: the core of every `combine`.
    final func joinAll<Other, Result>(
        _ other: Context<Other>, _ merge: @escaping @Sendable (Model, Other) -> Result
    ) -> Context<Result> {
        join(other, failsFast: true) { left, right in
            switch (left, right) {
            case (.data(let left), .data(let right)): .data(merge(left, right))
            case (.failure(let error), _), (_, .failure(let error)): .failure(error)
            case (.cancelled, _), (_, .cancelled): .cancelled
            default: nil
            }
        }
    }

    /// Joins so that one of the data is enough: the core of every `combineTolerance`.
    final func joinAny<Other, Result>(
        _ other: Context<Other>, _ merge: @escaping @Sendable (Model?, Other?) -> Result
    ) -> Context<Result> {
        join(other, failsFast: false) { left, right in
            guard let left, let right else { return nil }
            switch (left, right) {
            case (.data, _), (_, .data): return .data(merge(left.data, right.data))
            case (.failure(let error), _), (_, .failure(let error)): return .failure(error)
            case (.cancelled, .cancelled): return .cancelled
            }
        }
    }
}

/// One of two contexts that are heard together. Law 2: the variables are used only inside the pair's gate.
private final class OutcomeSide<Model: Sendable>: @unchecked Sendable {
    let lifetime: Lifetime
    var latest: Outcome<Model>?
    var isOver = false

    init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// Hears it no more: it is cancelled, if it still runs.
    func letGo() {
        isOver = true
        lifetime.dispose()
    }
}

/// Hears two contexts, one outcome at a time.
private final class OutcomePair<Left: Sendable, Right: Sendable, Result: Sendable>: Sendable {
    let left: OutcomeSide<Left>
    let right: OutcomeSide<Right>
    private let gate = Gate()
    private let downstream: AnyObserver<Outcome<Result>>
    private let failsFast: Bool
    private let result: @Sendable (Outcome<Left>?, Outcome<Right>?) -> Outcome<Result>?

    init(
        _ downstream: AnyObserver<Outcome<Result>>, _ lifetime: Lifetime, failsFast: Bool,
        _ result: @escaping @Sendable (Outcome<Left>?, Outcome<Right>?) -> Outcome<Result>?
    ) {
        left = OutcomeSide(lifetime.child())
        right = OutcomeSide(lifetime.child())
        self.downstream = downstream
        self.failsFast = failsFast
        self.result = result
    }

    func observer<Model, Other>(
        of side: OutcomeSide<Model>, against other: OutcomeSide<Other>
    ) -> AnyObserver<Outcome<Model>> {
        gate.entering { [self] event in
            guard !side.lifetime.isDisposed else { return }
            switch event {
            case .next(let outcome): take(outcome, of: side, against: other)
            case .error, .completed: side.letGo()
            }
            if left.isOver, right.isOver { downstream.onCompleted() }
        }
    }

    private func take<Model, Other>(_ outcome: Outcome<Model>, of side: OutcomeSide<Model>, against other: OutcomeSide<Other>) {
        side.latest = outcome
        // Before it is passed: what is cancelled from upstream lets go of all handles that could cancel the other.
        if failsFast, outcome.data == nil { other.letGo() }
        if let result = result(left.latest, right.latest) { downstream.onNext(result) }
    }
}
