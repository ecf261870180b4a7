import Foundation
import NetNodes
import TerminalViews

/// Errors as one-line messages.
enum ErrorWording {
    /// Returns the error's message on one line, sanitized, without the full stop.
    static func sentence(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? systemSentence(error) ?? "\(error)"
        let line = TerminalText.sanitized(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    /// What the system says of a file that Foundation could not open or read.
    private static func systemSentence(_ error: any Error) -> String? {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let cause, cause.domain == NSPOSIXErrorDomain else { return nil }
        return String(cString: strerror(Int32(cause.code)))
    }

    /// Returns a short message for a column beside the endpoint.
    static func short(_ error: any Error) -> String {
        switch error {
        case let error as HTTPError: "status \(error.status)"
        case TechnicalError.timeout: "timed out"
        case TechnicalError.cantConnectToHost: "connection refused"
        case TechnicalError.cantFindHost: "unknown host"
        case TechnicalError.connectionLost: "connection lost"
        case TechnicalError.secureConnectionFailed(let text): "no secure connection" + reason(text)
        case TechnicalError.noInternetConnection: "no network"
        case TransportError.malformedResponse(_, let reason): TerminalText.sanitized("not HTTP: \(reason)")
        case TransportError.tooManyRedirects(let limit, _): "more than \(limit) redirects"
        case TransportError.bodyTooLarge(let limit, _): "the body is longer than \(Wording.bytes(Int64(limit)))"
        default: sentence(error)
        }
    }

    /// What a sentence says after its address, which stands beside it in any case.
    private static func reason(_ text: String) -> String {
        guard let colon = text.firstRange(of: ": ") else { return "" }
        let reason = TerminalText.sanitized(String(text[colon.lowerBound...]))
        return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}
