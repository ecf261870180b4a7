public import Foundation
public import SocketNodes

/// A request for a ``Transport``.
public struct HTTPRequest: Sendable, Equatable {
    /// The body of a request.
    public enum Body: Sendable, Equatable {
        /// No body.
        case none
        /// These bytes.
        case data(Data)
        /// The bytes of a file, read while they are sent.
        case file(URL)
        /// Bytes and files in sequence.
        case pieces([Piece])
        /// Bytes that are made while they are sent.
        case stream(BodyStream)

        /// A part of a body.
        public enum Piece: Sendable, Equatable {
            /// These bytes.
            case data(Data)
            /// The bytes of a file, read while they are sent.
            case file(URL)
        }

        /// The bytes and files of a body that is not a stream.
        package var inPieces: [Piece] {
            switch self {
            case .none, .stream: []
            case .data(let data): [.data(data)]
            case .file(let file): [.file(file)]
            case .pieces(let pieces): pieces
            }
        }
    }

    /// The handling of redirects.
    public enum Redirects: Sendable, Equatable {
        /// Redirects are followed, at most `limit` consecutive ones.
        case follow(limit: Int)
        /// The redirect is delivered as the response.
        case deliver
    }

    /// The timeouts of a transfer.
    public typealias Timeouts = SocketConnection.Timeouts

    /// The maximum sizes of a response, in bytes. A larger response is an error that contains the limit.
    public struct Limits: Sendable, Equatable {
        /// The default maximum size of a body that is collected in memory: 64 MB.
        public static let collectedBodySize = 64 * 1024 * 1024

        /// The maximum size of a body after decompression: `TransportError.bodyTooLarge(limit:url:)`. `nil` means 64 MB for a body that is
        /// collected in memory, and no limit for one that is processed incrementally: events, lines and downloads.
        public var maximumBodySize: Int?
        /// The maximum size of the header, including interim responses and trailers: `TransportError.malformedResponse`.
        public var maximumHeaderSize: Int

        /// Creates limits in bytes; `nil` means the default of the consumer.
        public init(maximumBodySize: Int? = nil, maximumHeaderSize: Int = 256 * 1024) {
            self.maximumBodySize = maximumBodySize
            self.maximumHeaderSize = maximumHeaderSize
        }
    }

    /// The method.
    public var method: Method
    /// The destination.
    public var url: URL
    /// The header fields; the transport adds missing ones, such as `Host`.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body
    /// The timeouts.
    public var timeouts: Timeouts
    /// The handling of redirects.
    public var redirects: Redirects
    /// The limits of the response.
    public var limits = Limits()
    /// Whether the body of a successful response is discarded, so that the response has none. Of an unsuccessful response, 64 KB are kept.
    public var discardsBody = false
    /// The names in the query whose values are shown in logs and errors, unless they are secret.
    package var shownQuery: Set<String> = []
    /// The cookies that are added to the request, and the jar that keeps those of its responses; `nil` if it has none.
    var cookies: RequestCookies?

    /// Creates a request.
    public init(
        _ method: Method = .get,
        _ url: URL,
        headers: HTTPHeaders = [:],
        body: Body = .none,
        timeouts: Timeouts = Timeouts(),
        redirects: Redirects = .follow(limit: 10)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.redirects = redirects
    }
}

extension HTTPRequest {
    /// The URL as logs and errors show it.
    package var redactedURL: String { redacted(url, showing: shownQuery) }

    /// Rejects a request that no transport can send.
    ///
    /// - Parameter origin: the origin of its URL, if it is known already.
    /// - Throws: `TransportError.invalidURL`, `.unsupportedScheme`, `.invalidMethod`, `.invalidHeader` or `.bodyFailed`.
    package func validate(for origin: Origin? = nil) throws(TransportError) {
        let origin = origin ?? Origin(url)
        guard let scheme = origin.scheme else { throw .invalidURL(redactedURL, reason: "it has no scheme such as https") }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme, url: redactedURL) }
        guard let host = origin.host, !host.isEmpty else { throw .invalidURL(redactedURL, reason: "it has no host") }
        guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(isTokenByte) else {
            throw .invalidMethod(method.rawValue.escapedForDisplay)
        }
        try headers.validate()
        if case .stream(let stream) = body, let length = stream.length, length < 0 {
            throw .bodyFailed(url: redactedURL, reason: BodyStreamError.negativeLength(length).description)
        }
    }
}

/// The description of a request is redacted: method, URL, headers, and the length of the body.
extension HTTPRequest: RedactedDescription {
    public var description: String {
        let length = if case .data(let data) = body { " \(data.count) bytes" } else { "" }
        return "\(method.rawValue.escapedForDisplay) \(redactedURL) \(headers)\(length)"
    }
}

extension HTTPRequest {
    /// The method of a request.
    ///
    /// Source: [RFC 9110, 9](https://www.rfc-editor.org/rfc/rfc9110#name-methods).
    public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The method as sent.
        public let rawValue: String

        /// Creates a method from its case-sensitive name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Requests a resource.
        public static let get = Method(rawValue: "GET")
        /// Requests the head of the response to GET.
        public static let head = Method(rawValue: "HEAD")
        /// Submits data for processing.
        public static let post = Method(rawValue: "POST")
        /// Replaces a resource.
        public static let put = Method(rawValue: "PUT")
        /// Modifies a part of a resource.
        public static let patch = Method(rawValue: "PATCH")
        /// Removes a resource.
        public static let delete = Method(rawValue: "DELETE")
        /// Requests the available methods.
        public static let options = Method(rawValue: "OPTIONS")

        public var description: String { rawValue }

        /// Whether sending the request twice has the same effect as sending it once.
        public var isIdempotent: Bool {
            switch self {
            case .get, .head, .put, .delete, .options, Method(rawValue: "TRACE"): true
            default: false
            }
        }
    }
}

extension HTTPHeaders {
    /// Rejects every text that would let a field run into the next one or into the body.
    ///
    /// - Throws: `TransportError.invalidHeader` with the first invalid field; the value is not part of the error.
    func validate() throws(TransportError) {
        for field in self {
            if let fault = field.fault { throw fault }
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can be sent.
    package var isSendable: Bool { fault == nil }

    /// The reason why the field cannot be sent, without its value.
    var fault: TransportError? {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            return .invalidHeader(name: name.escapedForDisplay, reason: "the name contains an invalid character")
        }
        guard !value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
            return .invalidHeader(name: name, reason: "the value contains a line break or a NUL")
        }
        return nil
    }
}
