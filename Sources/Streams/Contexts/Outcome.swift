/// The outcome of an operation: a context stores at most one, and a new one replaces it.
public enum Outcome<Model: Sendable>: Sendable {
    /// The operation succeeded with data.
    case data(Model)
    /// The operation failed.
    case failure(any Error)
    /// The operation was cancelled, which is final.
    case cancelled
}

extension Outcome {
    /// The data, if the operation succeeded.
    @inlinable public var data: Model? {
        if case .data(let model) = self { model } else { nil }
    }

    /// The error, if the operation failed.
    @inlinable public var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Whether the operation was cancelled.
    @inlinable public var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }
}

extension Outcome {
    /// Returns this outcome with its data transformed, or a failure if `transform` throws.
    @inlinable public func map<Result>(_ transform: (Model) throws -> Result) -> Outcome<Result> {
        switch self {
        case .data(let model):
            do { return .data(try transform(model)) } catch { return .failure(error) }
        case .failure(let error): return .failure(error)
        case .cancelled: return .cancelled
        }
    }
}
