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

    /// How much of a response is taken, in bytes. More is an error, with the limit in it.
    public struct Limits: Sendable, Equatable {
        /// The longest body that is collected in memory, where nothing else is said: 64 MB.
        public static let collectedBodySize = 64 * 1024 * 1024

        /// The longest body, after decompression: ``TransportError/bodyTooLarge(limit:url:)``. `nil` is 64 MB for a body that is collected in
        /// memory, and no limit for one that is used as it comes: of events, lines and downloads.
        public var maximumBodySize: Int?
        /// The longest header, interim responses and trailers included: `TransportError.malformedResponse`.
        public var maximumHeaderSize: Int

        public init(maximumBodySize: Int? = nil, maximumHeaderSize: Int = 256 * 1024) {
            self.maximumBodySize = maximumBodySize
            self.maximumHeaderSize = maximumHeaderSize
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
    /// How much of the response is taken.
    public var limits = Limits()
    /// Whether nobody wants the body of a good response: a whole response has none then, whatever came. Of a bad one 64 KB are kept.
    public var discardsBody = false

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
    package func validate(for origin: Origin? = nil) throws(TransportError) {
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

/// A request prints without its secrets: method, URL, headers, and how long the body is.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let length = if case .data(let data) = body { " \(data.count) bytes" } else { "" }
        return "\(method.rawValue.escapedForDisplay) \(redacted(url)) \(headers)\(length)"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
