import Foundation

/// The errors that operators make themselves.
public enum StreamError: Error, Equatable, Sendable {
    /// No event came in time.
    case timeout(after: Duration)
    /// A stream that must have an element had none.
    case noElements
    /// A stream that must have one element had more.
    case moreThanOneElement
}

extension StreamError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .timeout(let duration): "Nothing came within \(duration)."
        case .noElements: "The stream ended without an element."
        case .moreThanOneElement: "The stream sent more than one element."
        }
    }
}
