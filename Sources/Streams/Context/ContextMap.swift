extension Context {
    /// Maps the data; a throw is the outcome then.
    ///
    /// ```swift
    /// node.process(credentials).map { reply in User(id: reply.userId, role: reply.userRole) }
    /// ```
    public final func map<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Context<Result> {
        mapData(transform)
    }

    /// Runs the next operation with the data and becomes its outcome: requests that depend on one another.
    ///
    /// ```swift
    /// shortAccount(by: id).map { account in users(by: account.usersFrameId) }
    /// ```
    ///
    /// Told apart from the other `map` by what the closure returns. The operation started for earlier data is cancelled by the next outcome.
    public final func map<Result>(_ operation: @escaping @Sendable (Model) throws -> Context<Result>) -> Context<Result> {
        then(operation)
    }

    /// Maps the data: the name of `map` that is quicker to type-check in long chains.
    public final func mapData<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Context<Result> {
        derive { outcomes, _ in outcomes.map { outcome in outcome.map(transform) } }
    }

    /// Runs the next operation with the data: the name of `map` that is quicker to type-check in long chains.
    public final func then<Result>(_ operation: @escaping @Sendable (Model) throws -> Context<Result>) -> Context<Result> {
        follow { outcome in
            switch outcome {
            case .data(let model): .operation(try operation(model))
            case .failure(let error): .outcome(.failure(error))
            case .cancelled: .outcome(.cancelled)
            }
        }
    }

    /// Keeps the elements of an array that satisfy `isIncluded`; a throw is the outcome then.
    public final func filter<Element>(
        _ isIncluded: @escaping @Sendable (Element) throws -> Bool
    ) -> Context<[Element]> where Model == [Element] {
        mapData { elements in try elements.filter(isIncluded) }
    }

    /// Runs the next operation with the data and gives both results; a nil operation is reported as a cancel.
    ///
    /// ```swift
    /// shortAccount().chain { account in cards(of: account) }.map { account, cards in Account(account, cards) }
    /// ```
    public final func chain<Next>(
        _ operation: @escaping @Sendable (Model) throws -> Context<Next>?
    ) -> Context<(Model, Next)> {
        follow { outcome in
            switch outcome {
            case .data(let model):
                guard let next = try operation(model) else { return .outcome(.cancelled) }
                return .operation(next.mapData { (model, $0) })
            case .failure(let error): return .outcome(.failure(error))
            case .cancelled: return .outcome(.cancelled)
            }
        }
    }

    /// Runs the next operation with the data and gives both results: the seed's label.
    @_disfavoredOverload
    public final func chain<Next>(
        with operation: @escaping @Sendable (Model) throws -> Context<Next>?
    ) -> Context<(Model, Next)> {
        chain(operation)
    }

    /// Hands this context to `observe`, for logging, and goes on; its listeners are not those of the result.
    public final func process(_ observe: (Context<Model>) -> Void) -> Context<Model> {
        observe(self)
        return derive { outcomes, _ in outcomes }
    }
}
