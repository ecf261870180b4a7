extension Context {
    /// Both results as optionals; `other` is started at once. Waits until both have an outcome and completes if at least one succeeded.
    ///
    /// ```swift
    /// promotions()
    ///     .combineTolerance(personalDiscounts())
    ///     .combineTolerance(stockItems)
    ///     .map { promotions, discounts, items in Promotions(promotions, discounts, items) }
    /// ```
    ///
    /// Fails only if none succeeded, with the first one's error; a cancelled one counts as nil, and if all were cancelled so is this. Up to
    /// six results come out flat; where the type asks for it, nested.
    public final func combineTolerance<Other>(_ other: @autoclosure () -> Context<Other>) -> Context<(Model?, Other?)> {
        joinAny(other()) { ($0, $1) }
    }

    /// The same with a function that starts the other operation, as in the seed.
    public final func combineTolerance<Other>(_ other: () -> Context<Other>) -> Context<(Model?, Other?)> {
        joinAny(other()) { ($0, $1) }
    }

    /// Three results, flat.
    public final func combineTolerance<A, B, C>(
        _ other: @autoclosure () -> Context<C>
    ) -> Context<(A?, B?, C?)> where Model == (A?, B?) {
        joinAny(other()) { ($0?.0, $0?.1, $1) }
    }

    /// Three results, flat, the last operation given as a function.
    public final func combineTolerance<A, B, C>(
        _ other: () -> Context<C>
    ) -> Context<(A?, B?, C?)> where Model == (A?, B?) {
        joinAny(other()) { ($0?.0, $0?.1, $1) }
    }

    /// Four results, flat.
    public final func combineTolerance<A, B, C, D>(
        _ other: @autoclosure () -> Context<D>
    ) -> Context<(A?, B?, C?, D?)> where Model == (A?, B?, C?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $1) }
    }

    /// Four results, flat, the last operation given as a function.
    public final func combineTolerance<A, B, C, D>(
        _ other: () -> Context<D>
    ) -> Context<(A?, B?, C?, D?)> where Model == (A?, B?, C?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $1) }
    }

    /// Five results, flat.
    public final func combineTolerance<A, B, C, D, E>(
        _ other: @autoclosure () -> Context<E>
    ) -> Context<(A?, B?, C?, D?, E?)> where Model == (A?, B?, C?, D?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $0?.3, $1) }
    }

    /// Five results, flat, the last operation given as a function.
    public final func combineTolerance<A, B, C, D, E>(
        _ other: () -> Context<E>
    ) -> Context<(A?, B?, C?, D?, E?)> where Model == (A?, B?, C?, D?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $0?.3, $1) }
    }

    /// Six results, flat.
    public final func combineTolerance<A, B, C, D, E, F>(
        _ other: @autoclosure () -> Context<F>
    ) -> Context<(A?, B?, C?, D?, E?, F?)> where Model == (A?, B?, C?, D?, E?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $0?.3, $0?.4, $1) }
    }

    /// Six results, flat, the last operation given as a function.
    public final func combineTolerance<A, B, C, D, E, F>(
        _ other: () -> Context<F>
    ) -> Context<(A?, B?, C?, D?, E?, F?)> where Model == (A?, B?, C?, D?, E?) {
        joinAny(other()) { ($0?.0, $0?.1, $0?.2, $0?.3, $0?.4, $1) }
    }
}
