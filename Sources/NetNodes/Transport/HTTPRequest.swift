public import Foundation

/// A request as it goes to a ``Transport``.
public struct HTTPRequest: Sendable, Equatable {
    /// What is sent after the head.
    public enum Body: Sendable, Equatable {
        /// Nothing at all.
        case none
        /// These bytes.
        case data(Data)
        /// The bytes of a file, read while they are sent.
        case file(URL)
        /// Bytes and files one after another.
        case pieces([Piece])

        /// A part of a body.
        public enum Piece: Sendable, Equatable {
            /// These bytes.
            case data(Data)
            /// The bytes of a file, read while they are sent.
            case file(URL)
        }
    }

    /// What happens when the server answers with a redirect.
    public enum Redirects: Sendable, Equatable {
        /// They are followed, at most `limit` times in a row.
        case follow(limit: Int)
        /// The redirect is the response.
        case deliver
    }

    /// How long a transfer may take. `nil` is no limit.
    public struct Timeouts: Sendable, Equatable {
        /// Until the connection stands, name lookup and TLS included.
        public var connect: Duration?
        /// Between one sign of life of the server and the next, once the connection stands.
        public var idle: Duration?
        /// From the start to the last byte, redirects included.
        public var total: Duration?

        public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
            self.connect = connect
            self.idle = idle
            self.total = total
        }
    }

    /// What is to be done.
    public var method: HTTPMethod
    /// Where the request goes.
    public var url: URL
    /// The header fields; the transport adds what is missing, such as `Host`.
    public var headers: HTTPHeaders
    /// What is sent after the head.
    public var body: Body
    /// How long it may take.
    public var timeouts: Timeouts
    /// What happens at a redirect.
    public var redirects: Redirects

    public init(
        _ method: HTTPMethod = .get,
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
    /// Checks what no transport can send.
    ///
    /// - Parameter origin: that of its URL, where it is known already.
    /// - Throws: `TransportError.invalidURL`, `.unsupportedScheme`, `.invalidMethod` or `.invalidHeader`.
    func validate(for origin: Origin? = nil) throws(TransportError) {
        let origin = origin ?? Origin(url)
        guard let scheme = origin.scheme else { throw .invalidURL(redacted(url), reason: "it has no scheme such as https") }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme, url: redacted(url)) }
        guard let host = origin.host, !host.isEmpty else { throw .invalidURL(redacted(url), reason: "it has no host") }
        guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(isTokenByte) else {
            throw .invalidMethod(method.rawValue.escapedForDisplay)
        }
        try headers.validate()
    }
}
