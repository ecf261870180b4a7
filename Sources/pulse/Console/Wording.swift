import Foundation
import NetNodes
import TerminalViews

/// Formats numbers, times and addresses for display.
enum Wording {
    /// `9.87 ms`, `12.3 ms`, `456 ms`, `1.23 s`.
    static func milliseconds(_ value: Double) -> String {
        switch value {
        case ..<10: number(value, places: 2) + " ms"
        case ..<100: number(value, places: 1) + " ms"
        case ..<1000: number(value, places: 0) + " ms"
        default: number(value / 1000, places: 2) + " s"
        }
    }

    /// `999 B`, `1.2 kB`, `34.5 MB`.
    static func bytes(_ count: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(count), 0)
        while value >= 999.95, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
        return number(value, places: unit == 0 ? 0 : 1) + " " + units[unit]
    }

    /// The local time of day, to the second.
    static func time(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Formats a number with this many decimal places. Does not use Foundation's formatters: rows are formatted many times a second.
    static func number(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "-" }
        let scale = [1.0, 10, 100, 1000][min(places, 3)]
        let scaled = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % Int64(scale))
        return "\(sign)\(scaled / Int64(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }

    /// Percent with a sign, such as `+1.32 %`.
    static func change(_ percent: Double) -> String {
        (percent >= 0 ? "+" : "") + number(percent, places: 2) + " %"
    }

    /// The elapsed time in one unit: `4 s`, `12 min`, `3 h`, `2 d`.
    static func elapsed(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<60: "\(Int(max(0, seconds))) s"
        case ..<3600: "\(Int(seconds / 60)) min"
        case ..<86_400: "\(Int(seconds / 3600)) h"
        default: "\(Int(seconds / 86_400)) d"
        }
    }
}

extension Wording {
    /// A duration in seconds: `5 s`, `0.5 s`.
    static func seconds(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1000
        return "\(number(seconds, places: seconds == seconds.rounded() ? 0 : 1)) s"
    }
}

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
        case TransportError.undecodableBody(_, let reason): TerminalText.sanitized("the body cannot be decoded: \(reason)")
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
