import Foundation
import NetNodes
import TerminalViews

/// Errors as one line for people.
enum ErrorWording {
    /// The error's own sentence, on one line and safe to print, without the full stop.
    static func sentence(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        let line = TerminalText.sanitized(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    /// A few words for a column, where the endpoint stands beside them already.
    static func short(_ error: any Error) -> String {
        switch error {
        case let error as HTTPError: "status \(error.status)"
        case TechnicalError.timeout: "no answer in time"
        case TechnicalError.cantConnectToHost: "connection refused"
        case TechnicalError.cantFindHost: "unknown host"
        case TechnicalError.connectionLost: "connection lost"
        case TechnicalError.secureConnectionFailed: "no secure connection"
        case TechnicalError.noInternetConnection: "no network"
        default: sentence(error)
        }
    }
}
