public import Foundation

/// A response whose status indicates a failure.
public enum HTTPError: Error, Equatable, Sendable {
    /// 400
    case badRequest(Failure)
    /// 401
    case unauthorized(Failure)
    /// 403
    case forbidden(Failure)
    /// 404
    case notFound(Failure)
    /// 500
    case internalServerError(Failure)
    /// Any other 4xx
    case client(status: Int, Failure)
    /// Any other 5xx
    case server(status: Int, Failure)

    /// The response.
    public struct Failure: Sendable {
        let response: HTTPResponse

        /// The status code.
        public var status: Int { response.status }
        /// The redacted URL.
        public var url: String { response.head.redactedURL }
        /// The headers of the response, including `Retry-After`. They may contain secrets: do not display them.
        public var headers: HTTPHeaders { response.headers }
        /// The body of the response.
        public var body: Data { response.body }
    }
}

extension HTTPError {
    /// Creates the error of a response; returns `nil` for a status below 400.
    public init?(_ response: HTTPResponse) {
        guard response.status >= 400 else { return nil }
        self.init(failed: response)
    }

    /// Creates the error of a response with this status, for tests and stubs; a status below 400 becomes 400.
    ///
    /// ```swift
    /// let busy = HTTPError(status: 503, headers: ["Retry-After": "7"], url: request.url)
    /// ```
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
        self.init(failed: HTTPResponse(head: HTTPResponse.Head(status: max(status, 400), headers: headers, url: url), body: body))
    }

    private init(failed response: HTTPResponse) {
        let (status, failure) = (response.status, Failure(response: response))
        switch status {
        case 400: self = .badRequest(failure)
        case 401: self = .unauthorized(failure)
        case 403: self = .forbidden(failure)
        case 404: self = .notFound(failure)
        case 500: self = .internalServerError(failure)
        case 402..<500: self = .client(status: status, failure)
        default: self = .server(status: status, failure)
        }
    }

    /// The response.
    public var failure: Failure {
        switch self {
        case .badRequest(let failure), .unauthorized(let failure), .forbidden(let failure), .notFound(let failure),
            .internalServerError(let failure), .client(_, let failure), .server(_, let failure):
            failure
        }
    }

    /// The status code.
    public var status: Int { failure.status }

    /// The delay requested by the server, from `Retry-After` in seconds or as a date.
    public var retryAfter: Duration? {
        guard let value = failure.headers["Retry-After"] else { return nil }
        if let seconds = Int64(value) { return .seconds(max(0, seconds)) }
        return httpDate(value).map { .milliseconds(Int64(max(0, $0.timeIntervalSinceNow) * 1000)) }
    }
}

/// Failures with equal responses are equal; the metrics of the transfers do not matter.
extension HTTPError.Failure: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        left.response.head == right.response.head && left.body == right.body
    }
}

extension HTTPError.Failure: RedactedDescription {
    /// The response, redacted.
    public var description: String { "\(status) of \(url) \(headers) \(body.count) bytes" }
}

extension HTTPError: LocalizedError, CustomStringConvertible {
    public var description: String {
        let text = Redactor().redacted(text: beginning).trimmingCharacters(in: .whitespacesAndNewlines)
        let saying = text.isEmpty || text.hasPrefix("<") ? "" : ", with the body \"\(text.escapedForDisplay)\""
        return "\(failure.url) responded with \(status) (\(meaning))\(saying)."
    }

    public var errorDescription: String? { description }

    /// The beginning of the body, to be quoted if it is text; the last character may be truncated.
    private var beginning: String {
        let bytes = failure.body.prefix(4096)
        return (0..<4).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first ?? ""
    }

    private var meaning: String {
        switch status {
        case 400: "bad request"
        case 401: "unauthorized"
        case 403: "forbidden"
        case 404: "not found"
        case 405: "method not allowed"
        case 408: "request timeout"
        case 409: "conflict"
        case 410: "gone"
        case 413: "too much content"
        case 422: "the content cannot be processed"
        case 429: "too many requests"
        case 500: "internal server error"
        case 502: "bad gateway"
        case 503: "service unavailable"
        case 504: "gateway timeout"
        case ..<500: "client error"
        default: "server error"
        }
    }
}
