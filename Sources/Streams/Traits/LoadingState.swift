/// The state of a value that is loaded asynchronously.
///
/// ```swift
/// request.convertToLoadingState(startingWithLoading: true)
/// // ------1|
/// // (loading)-----(loaded 1|)
/// ```
///
/// Source: [Swift by Sundell, Handling loading states](https://www.swiftbysundell.com/articles/handling-loading-states-in-swiftui/).
public enum LoadingState<Value: Sendable>: Sendable {
    /// Loading has not been requested yet.
    case idle
    /// The value is being loaded.
    case loading
    /// The value was loaded.
    case loaded(Value)
    /// The value could not be loaded.
    case failed(any Error)
}

extension LoadingState {
    /// Whether the value is being loaded.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// The loaded value.
    public var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    /// The error of a failed load.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Returns the same state with its value transformed; `failed` if `transform` throws.
    @inlinable public func map<Result>(_ transform: (Value) throws -> Result) -> LoadingState<Result> {
        switch self {
        case .idle: return .idle
        case .loading: return .loading
        case .loaded(let value):
            do { return .loaded(try transform(value)) } catch { return .failed(error) }
        case .failed(let error): return .failed(error)
        }
    }
}

extension LoadingState: Equatable where Value: Equatable {
    /// Compares values as such, and errors by their description.
    public static func == (left: LoadingState, right: LoadingState) -> Bool {
        switch (left, right) {
        case (.idle, .idle), (.loading, .loading): true
        case (.loaded(let left), .loaded(let right)): left == right
        case (.failed(let left), .failed(let right)): String(reflecting: left) == String(reflecting: right)
        default: false
        }
    }
}

/// A view model that loads a value and publishes its loading state.
@MainActor
public protocol LoadableObject: AnyObject {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The loading state.
    var state: LoadingState<Value> { get }

    /// Starts to load.
    func load()
}
