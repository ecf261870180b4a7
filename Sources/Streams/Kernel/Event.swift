/// One notification of a stream: an element, or its end.
///
/// A subscription sees `next* (error | completed)?` and nothing after (law 1).
/// Source: [ReactiveX, The Observable Contract](https://reactivex.io/documentation/contract.html).
public enum Event<Element: Sendable>: Sendable {
    /// The next element.
    case next(Element)
    /// The stream failed; nothing follows.
    case error(any Error)
    /// The stream ended; nothing follows.
    case completed
}

extension Event {
    /// Whether nothing may follow this event.
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

    /// Whether this is `completed`.
    @inlinable public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The same event with its element transformed; a throw becomes an `error`.
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
