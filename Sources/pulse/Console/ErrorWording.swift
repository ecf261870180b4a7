import Foundation
import NetNodes
import TerminalViews

/// Errors as one-line messages.
enum ErrorWording {
    /// Returns the error's message on one line, sanitized, without the full stop.
    static func sentence(_ error: any Error) -> String {
        let text = systemSentence(error) ?? (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        let line = TerminalText.sanitized(text.trimmingCharacters(in: .whitespacesAndNewlines).excerpt(longest))
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    /// Returns the system's explanation for a file that could not be opened, read or written.
    private static func systemSentence(_ error: any Error) -> String? {
        let error = error as NSError
        // The error is a POSIXError, which is no NSError here.
        let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        let cause = error.domain == NSPOSIXErrorDomain ? error : underlying
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

    /// Returns the sentence without its address, which is shown beside it anyway.
    private static func reason(_ text: String) -> String {
        let text = text.excerpt(longest)
        guard let colon = text.firstRange(of: ": ") else { return "" }
        let reason = TerminalText.sanitized(String(text[colon.lowerBound...]))
        return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    /// The maximum number of characters of a message, which may quote a server.
    private static let longest = 1_000
}
