import Foundation

/// The errors of operators.
public enum StreamError: Error, Equatable, Sendable {
    /// No event was emitted in time.
    case timeout(after: Duration)
    /// A stream that requires an element had none.
    case noElements
    /// A stream that allows one element had more.
    case moreThanOneElement
    /// A stream completed before the element at this index.
    case noElement(at: Int)
    /// An element was not of the type that it was cast to.
    case cast(from: String, to: String)
    /// More elements were pending, or more bytes on a connection, than the capacity allows.
    case overflow(capacity: Int)
}

extension StreamError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .timeout(let duration): "Nothing came within \(duration)."
        case .noElements: "The stream ended without an element."
        case .moreThanOneElement: "The stream sent more than one element."
        case .noElement(let index): "The stream ended before its element \(index)."
        case .cast(let source, let target): "An element of type \(source) is no \(target)."
        case .overflow(let capacity): "A buffer overflowed: its capacity is \(capacity)."
        }
    }
}
