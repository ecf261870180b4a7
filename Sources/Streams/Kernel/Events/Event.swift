/// An event of a stream: an element, an error or the completion.
///
/// A subscription receives `next* (error | completed)?` and no event after that (law 1).
/// Source: [ReactiveX, The Observable Contract](https://reactivex.io/documentation/contract.html).
public enum Event<Element: Sendable>: Sendable {
    /// The next element.
    case next(Element)
    /// The stream failed; no event follows.
    case error(any Error)
    /// The stream completed; no event follows.
    case completed
}

extension Event {
    /// Whether no event may follow.
    @inlinable public var isStopEvent: Bool {
        if case .next = self { false } else { true }
    }

    /// The element of a `next`.
    @inlinable public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error of an `error`.
    @inlinable public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Returns this terminal event as one of a stream of other elements.
    @inlinable @inline(__always)
    func terminal<Other>() -> Event<Other> {
        error.map { .error($0) } ?? .completed
    }

    /// Whether this is `completed`.
    @inlinable public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// Returns the same event with its element transformed; an `error` if `transform` throws.
    @inlinable
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

extension Event: CustomStringConvertible {
    public var description: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}
