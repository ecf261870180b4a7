/// Where something that is loaded stands.
///
/// ```swift
/// request.convertToLoadingState(startingWithLoading: true)
/// // ------1|
/// // (loading)-----(loaded 1|)
/// ```
///
/// Source: [Swift by Sundell, Handling loading states](https://www.swiftbysundell.com/articles/handling-loading-states-in-swiftui/).
public enum LoadingState<Value: Sendable>: Sendable {
    /// Nothing was asked for yet.
    case idle
    /// It is being loaded.
    case loading
    /// It is there.
    case loaded(Value)
    /// It could not be loaded.
    case failed(any Error)
}

extension LoadingState {
    /// Whether it is being loaded.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// What was loaded.
    public var value: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    /// Why it could not be loaded.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The same state with what was loaded transformed; a throw becomes `failed`.
    public func map<Result>(_ transform: (Value) throws -> Result) -> LoadingState<Result> {
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
    /// Values are compared as such, errors by their description.
    public static func == (left: LoadingState, right: LoadingState) -> Bool {
        switch (left, right) {
        case (.idle, .idle), (.loading, .loading): true
        case (.loaded(let left), .loaded(let right)): left == right
        case (.failed(let left), .failed(let right)): String(reflecting: left) == String(reflecting: right)
        default: false
        }
    }
}

/// A view model that loads one thing and shows where that stands.
@MainActor
public protocol LoadableObject: AnyObject {
    /// What is loaded.
    associatedtype Value: Sendable

    /// Where the loading stands.
    var state: LoadingState<Value> { get }

    /// Begins to load.
    func load()
}
