import Foundation
import NetNodes
import TerminalViews

/// Errors as one-line messages.
enum ErrorWording {
    /// Returns the error's message on one line, sanitized, without the full stop.
    static func sentence(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        let line = TerminalText.sanitized(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    /// Returns a short message for a column beside the endpoint.
    static func short(_ error: any Error) -> String {
        switch error {
        case let error as HTTPError: "status \(error.status)"
        case TechnicalError.timeout: "timed out"
        case TechnicalError.cantConnectToHost: "connection refused"
        case TechnicalError.cantFindHost: "unknown host"
        case TechnicalError.connectionLost: "connection lost"
        case TechnicalError.secureConnectionFailed: "no secure connection"
        case TechnicalError.noInternetConnection: "no network"
        default: sentence(error)
        }
    }
}
