extension Context {
    /// Both results as a tuple; `other` is started at once, so that the two run in parallel.
    ///
    /// ```swift
    /// banner()
    ///     .combine(products())
    ///     .combine(actions)
    ///     .map { banner, products, actions in Screen(banner, products, actions) }
    /// ```
    ///
    /// An error or a cancel passes at once and cancels the other. With new data it emits again once both have data. Up to six results
    /// come out flat; where the type asks for it, nested.
    public final func combine<Other>(_ other: @autoclosure () -> Context<Other>) -> Context<(Model, Other)> {
        joinAll(other()) { ($0, $1) }
    }

    /// The same with a function that starts the other operation, as in the seed: `.combine(self.getProducts)`.
    public final func combine<Other>(_ other: () -> Context<Other>) -> Context<(Model, Other)> {
        joinAll(other()) { ($0, $1) }
    }

    /// Three results, flat.
    public final func combine<A, B, C>(
        _ other: @autoclosure () -> Context<C>
    ) -> Context<(A, B, C)> where Model == (A, B) {
        joinAll(other()) { ($0.0, $0.1, $1) }
    }

    /// Three results, flat, the last operation given as a function.
    public final func combine<A, B, C>(
        _ other: () -> Context<C>
    ) -> Context<(A, B, C)> where Model == (A, B) {
        joinAll(other()) { ($0.0, $0.1, $1) }
    }

    /// Four results, flat.
    public final func combine<A, B, C, D>(
        _ other: @autoclosure () -> Context<D>
    ) -> Context<(A, B, C, D)> where Model == (A, B, C) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $1) }
    }

    /// Four results, flat, the last operation given as a function.
    public final func combine<A, B, C, D>(
        _ other: () -> Context<D>
    ) -> Context<(A, B, C, D)> where Model == (A, B, C) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $1) }
    }

    /// Five results, flat.
    public final func combine<A, B, C, D, E>(
        _ other: @autoclosure () -> Context<E>
    ) -> Context<(A, B, C, D, E)> where Model == (A, B, C, D) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $0.3, $1) }
    }

    /// Five results, flat, the last operation given as a function.
    public final func combine<A, B, C, D, E>(
        _ other: () -> Context<E>
    ) -> Context<(A, B, C, D, E)> where Model == (A, B, C, D) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $0.3, $1) }
    }

    /// Six results, flat.
    public final func combine<A, B, C, D, E, F>(
        _ other: @autoclosure () -> Context<F>
    ) -> Context<(A, B, C, D, E, F)> where Model == (A, B, C, D, E) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $0.3, $0.4, $1) }
    }

    /// Six results, flat, the last operation given as a function.
    public final func combine<A, B, C, D, E, F>(
        _ other: () -> Context<F>
    ) -> Context<(A, B, C, D, E, F)> where Model == (A, B, C, D, E) {
        joinAll(other()) { ($0.0, $0.1, $0.2, $0.3, $0.4, $1) }
    }
}
