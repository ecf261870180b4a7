extension Context {
    /// Maps an error.
    ///
    /// ```swift
    /// node.process(card).mapError { error in error is HttpError ? AddCardError.badAccountNumber : AddCardError.undefined }
    /// ```
    public final func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> Context<Model> {
        derive { outcomes, _ in
            outcomes.map { outcome in
                guard case .failure(let error) = outcome else { return outcome }
                return .failure(transform(error))
            }
        }
    }

    /// Replaces an error by the outcome of another operation; a throw is the outcome then. Data passes untouched.
    ///
    /// Told apart from the other `mapError` by what the closure returns. The operation is cancelled by the next outcome.
    public final func mapError(_ operation: @escaping @Sendable (any Error) throws -> Context<Model>) -> Context<Model> {
        error(operation)
    }

    /// Replaces an error by the outcome of another operation: the name in the first seed.
    public final func error(_ operation: @escaping @Sendable (any Error) throws -> Context<Model>) -> Context<Model> {
        follow { outcome in
            guard case .failure(let error) = outcome else { return .outcome(outcome) }
            return .operation(try operation(error))
        }
    }

    /// Handles the errors of one type: `handle` runs, nothing goes downstream and `defer` stays silent. Other errors pass.
    ///
    /// ```swift
    /// userData()
    ///     .catchError { (error: CustomServerError) in show(error.userMessage) }
    ///     .onError { error in show(error) }
    /// ```
    public final func catchError<Failure: Error>(_ handle: @escaping @Sendable (Failure) -> Void) -> Context<Model> {
        derive { outcomes, derivation in
            outcomes.filter { outcome in
                guard case .failure(let error as Failure) = outcome else { return true }
                derivation.settle()
                handle(error)
                return false
            }
        }
    }
}
