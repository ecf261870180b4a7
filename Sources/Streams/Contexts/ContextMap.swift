extension Observer {
    /// Maps the data. If `transform` throws, the outcome is that error.
    ///
    /// ```swift
    /// login.process(credentials).map { reply in User(id: reply.userId, role: reply.userRole) }
    /// ```
    @inlinable public final func map<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Observer<Result> {
        mapData(transform)
    }

    /// Runs the next operation with the data, and forwards its outcomes. Use it for requests that depend on one another.
    ///
    /// ```swift
    /// shortAccount(by: id).map { account in users(by: account.usersFrameId) }
    /// ```
    ///
    /// The result type of the closure selects this overload of `map`. The next outcome cancels the operation that was started for the
    /// previous data.
    @inlinable public final func map<Result>(_ operation: @escaping @Sendable (Model) throws -> Observer<Result>) -> Observer<Result> {
        then(operation)
    }

    /// Maps an error; the same as `mapError(_:)`. A closure that returns an error selects this overload; use ``mapData(_:)`` to map data to
    /// an error.
    @inlinable public final func map(_ transform: @escaping @Sendable (any Error) -> any Error) -> Observer<Model> {
        mapError(transform)
    }

    /// Maps the data: `map` under a name that type-checks faster in long chains.
    @inlinable public final func mapData<Result>(_ transform: @escaping @Sendable (Model) throws -> Result) -> Observer<Result> {
        self.transform { outcome in outcome.map(transform) }
    }

    /// Runs the next operation with the data: `map` under a name that type-checks faster in long chains.
    ///
    /// If the last step of an operation calls the enclosing function again, the operation is a loop: it polls any number of times with
    /// constant stack and memory, even if the outcomes are emitted synchronously.
    @inlinable public final func then<Result>(_ operation: @escaping @Sendable (Model) throws -> Observer<Result>) -> Observer<Result> {
        follow { outcome in outcome.map(operation) }
    }

    /// Runs the next operation without using the data; see `then(_:)`.
    @_disfavoredOverload
    @inlinable public final func then<Result>(_ operation: @escaping @Sendable () throws -> Observer<Result>) -> Observer<Result> {
        then { _ in try operation() }
    }

    /// Keeps the elements of an array that satisfy `isIncluded`. If that throws, the outcome is its error.
    @inlinable public final func filter<Element>(
        _ isIncluded: @escaping @Sendable (Element) throws -> Bool
    ) -> Observer<[Element]> where Model == [Element] {
        mapData { elements in try elements.filter(isIncluded) }
    }

    /// Runs the next operation with the data, and combines both results; `nil` instead of an operation is reported as a cancellation.
    ///
    /// ```swift
    /// shortAccount().chain { account in cards(of: account) }.map { account, cards in Account(account, cards) }
    /// ```
    @inlinable public final func chain<Next>(
        _ operation: @escaping @Sendable (Model) throws -> Observer<Next>?
    ) -> Observer<(Model, Next)> {
        then { model in
            try operation(model)?.mapData { (model, $0) } ?? Observer<(Model, Next)>(.cancelled)
        }
    }

    /// Runs the next operation with the data, and combines both results; see `chain(_:)`.
    @inlinable @_disfavoredOverload public final func chain<Next>(
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
    @inlinable public final func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> Observer<Model> {
        self.transform { outcome in
            guard case .failure(let error) = outcome else { return outcome }
            return .failure(transform(error))
        }
    }

    /// Replaces an error by the outcome of another operation. If `operation` throws, the outcome is that error. Data is forwarded.
    ///
    /// The result type of the closure selects this overload of `mapError`. The next outcome cancels the operation.
    @inlinable public final func mapError(_ operation: @escaping @Sendable (any Error) throws -> Observer<Model>) -> Observer<Model> {
        error(operation)
    }

    /// Replaces an error by the outcome of another operation; the same as `mapError(_:)`.
    @inlinable public final func error(_ operation: @escaping @Sendable (any Error) throws -> Observer<Model>) -> Observer<Model> {
        follow { outcome in outcome.error.map { Outcome.data($0).map(operation) } ?? .data(Observer(outcome)) }
    }

    /// Handles the errors of one type: `handle` runs, nothing is forwarded, and `defer` is not called. Other errors are forwarded.
    ///
    /// ```swift
    /// userData()
    ///     .catchError { (error: CustomServerError) in print(error.userMessage) }
    ///     .onError { error in print(error.localizedDescription) }
    /// ```
    ///
    /// The previous outcome is erased: later listeners receive neither the error nor data that upstream has erased.
    @inlinable public final func catchError<Failure: Error>(_ handle: @escaping @Sendable (Failure) -> Void) -> Observer<Model> {
        transform { outcome in
            guard case .failure(let error as Failure) = outcome else { return outcome }
            handle(error)
            return nil
        }
    }
}
