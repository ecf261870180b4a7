extension Observer {
    /// Maps the data; a throw is the outcome then.
    ///
    /// ```swift
    /// node.process(credentials).map { reply in User(id: reply.userId, role: reply.userRole) }
    /// ```
    public final func map<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Observer<Result> {
        mapData(transform)
    }

    /// Runs the next operation with the data and becomes its outcome: requests that depend on one another.
    ///
    /// ```swift
    /// shortAccount(by: id).map { account in users(by: account.usersFrameId) }
    /// ```
    ///
    /// Told apart from the other `map` by what the closure returns. The operation started for earlier data is cancelled by the next outcome.
    public final func map<Result>(_ operation: @escaping @Sendable (Model) throws -> Observer<Result>) -> Observer<Result> {
        then(operation)
    }

    /// Maps an error: `mapError(_:)` as the first seed names it. A closure that returns an error is taken for this one; ``mapData(_:)``
    /// makes an error of data.
    public final func map(_ transform: @escaping @Sendable (any Error) -> any Error) -> Observer<Model> {
        mapError(transform)
    }

    /// Maps the data: the name of `map` that is quicker to type-check in long chains.
    public final func mapData<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Observer<Result> {
        derive { outcomes, _ in outcomes.map { outcome in outcome?.map(transform) } }
    }

    /// Runs the next operation with the data: the name of `map` that is quicker to type-check in long chains.
    ///
    /// An operation that ends with another call of the function it is in is a loop: it polls as often as it likes with a constant stack and
    /// constant memory, also where the outcomes are there at once.
    public final func then<Result>(_ operation: @escaping @Sendable (Model) throws -> Observer<Result>) -> Observer<Result> {
        follow { outcome in outcome.map(operation) }
    }

    /// Runs the next operation after the data: `then(_:)` for one that does not need them.
    @_disfavoredOverload
    public final func then<Result>(_ operation: @escaping @Sendable () throws -> Observer<Result>) -> Observer<Result> {
        then { _ in try operation() }
    }

    /// Keeps the elements of an array that satisfy `isIncluded`; a throw is the outcome then.
    public final func filter<Element>(
        _ isIncluded: @escaping @Sendable (Element) throws -> Bool
    ) -> Observer<[Element]> where Model == [Element] {
        mapData { elements in try elements.filter(isIncluded) }
    }

    /// Runs the next operation with the data and gives both results; a nil operation is reported as a cancel.
    ///
    /// ```swift
    /// shortAccount().chain { account in cards(of: account) }.map { account, cards in Account(account, cards) }
    /// ```
    public final func chain<Next>(
        _ operation: @escaping @Sendable (Model) throws -> Observer<Next>?
    ) -> Observer<(Model, Next)> {
        then { model in
            try operation(model)?.mapData { (model, $0) } ?? Observer<(Model, Next)>(.cancelled)
        }
    }

    /// Runs the next operation with the data and gives both results: the seed's label.
    @_disfavoredOverload public final func chain<Next>(
        with operation: @escaping @Sendable (Model) throws -> Observer<Next>?
    ) -> Observer<(Model, Next)> {
        chain(operation)
    }
}

extension Observer {
    /// Maps an error.
    ///
    /// ```swift
    /// node.process(card).mapError { error in error is HttpError ? AddCardError.badAccountNumber : AddCardError.undefined }
    /// ```
    public final func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> Observer<Model> {
        derive { outcomes, _ in
            outcomes.map { outcome in outcome?.error.map { .failure(transform($0)) } ?? outcome }
        }
    }

    /// Replaces an error by the outcome of another operation; a throw is the outcome then. Data passes untouched.
    ///
    /// Told apart from the other `mapError` by what the closure returns. The operation is cancelled by the next outcome.
    public final func mapError(_ operation: @escaping @Sendable (any Error) throws -> Observer<Model>) -> Observer<Model> {
        error(operation)
    }

    /// Replaces an error by the outcome of another operation: the name in the first seed.
    public final func error(_ operation: @escaping @Sendable (any Error) throws -> Observer<Model>) -> Observer<Model> {
        follow { outcome in outcome.error.map { Outcome.data($0).map(operation) } ?? .data(Observer(outcome)) }
    }

    /// Handles the errors of one type: `handle` runs, nothing goes downstream and `defer` stays silent. Other errors pass.
    ///
    /// ```swift
    /// userData()
    ///     .catchError { (error: CustomServerError) in show(error.userMessage) }
    ///     .onError { error in show(error) }
    /// ```
    ///
    /// The outcome before is erased: who listens later gets neither the error nor data that upstream has erased.
    public final func catchError<Failure: Error>(_ handle: @escaping @Sendable (Failure) -> Void) -> Observer<Model> {
        derive { outcomes, _ in
            outcomes.map { outcome in
                guard case .failure(let error as Failure) = outcome else { return outcome }
                handle(error)
                return nil
            }
        }
    }
}
