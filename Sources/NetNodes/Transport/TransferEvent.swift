public import Foundation

/// An event of a transfer. The order is: `sent`, `progress` of an upload, `head`, any number of `chunk`s, `end`.
public enum TransferEvent: Sendable, Equatable {
    /// A connection is established and the request is being sent. The event is repeated for each redirect that is followed.
    case sent
    /// The upload progress of the request's body.
    case progress(Progress)
    /// The head of the response was received.
    case head(HTTPResponse.Head)
    /// The next bytes of the response's body, decompressed.
    case chunk(Data)
    /// The response is complete.
    case end(HTTPResponse.Metrics)
}

extension TransferEvent {
    /// The progress of a body.
    public struct Progress: Sendable, Equatable {
        /// The number of bytes transferred.
        public var completed: Int64
        /// The total number of bytes, if known.
        public var total: Int64?

        /// Creates the progress of a transfer.
        public init(completed: Int64, total: Int64?) {
            self.completed = completed
            self.total = total
        }

        /// The fraction between 0 and 1, if the total is known.
        public var fraction: Double? {
            total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
        }
    }
}

extension HTTPResponse {
    /// A redirect that was followed.
    public struct Redirection: Sendable, Hashable {
        /// The status of the response.
        public var status: Int
        /// The URL that was redirected.
        public var url: URL

        /// Creates a redirect, for tests.
        public init(status: Int, url: URL) {
            self.status = status
            self.url = url
        }
    }
}

/// The description of a redirect is redacted.
extension HTTPResponse.Redirection: RedactedDescription {
    public var description: String { "\(status) of \(redacted(url))" }
}

extension HTTPResponse {
    /// The times and counts of one transfer. Times are relative to its start. If redirects were followed, they are those of the last
    /// request.
    public struct Metrics: Sendable, Equatable {
        /// The time until the host's name was resolved.
        public var nameLookup: Duration?
        /// The time until the TCP connection was established.
        public var connect: Duration?
        /// The time until TLS was established; `nil` without TLS.
        public var secureConnect: Duration?
        /// The time until the first byte of the response.
        public var firstByte: Duration?
        /// The time until the last byte of the response, including redirects.
        public var total: Duration
        /// The size of the request's body in bytes.
        public var bytesSent: Int64
        /// The size of the response's body in bytes, as received.
        public var bytesReceived: Int64
        /// Whether an existing connection was reused.
        public var reusedConnection: Bool
        /// The number of redirects followed.
        public var redirects: Int
        /// The protocol, for example `HTTP/1.1` or `HTTP/2`.
        public var protocolName: String?
        /// The remote address.
        public var remoteAddress: String?
        /// The expiry of the server's certificate with TLS, as reported when the connection was made.
        public var certificateExpiry: Date?
        /// The redirects that were followed, in order.
        public var redirectHistory: [Redirection] = []
        /// The time that redirects took, which precedes the other times but is part of the total; `nil` if there were none.
        public var redirecting: Duration?

        /// Creates the metrics of a transfer.
        public init(
            nameLookup: Duration? = nil, connect: Duration? = nil, secureConnect: Duration? = nil, firstByte: Duration? = nil,
            total: Duration = .zero, bytesSent: Int64 = 0, bytesReceived: Int64 = 0, reusedConnection: Bool = false, redirects: Int = 0,
            protocolName: String? = nil, remoteAddress: String? = nil, certificateExpiry: Date? = nil,
            redirecting: Duration? = nil, redirectHistory: [Redirection] = []
        ) {
            self.nameLookup = nameLookup
            self.connect = connect
            self.secureConnect = secureConnect
            self.firstByte = firstByte
            self.total = total
            self.bytesSent = bytesSent
            self.bytesReceived = bytesReceived
            self.reusedConnection = reusedConnection
            self.redirects = redirects
            self.protocolName = protocolName
            self.remoteAddress = remoteAddress
            self.certificateExpiry = certificateExpiry
            self.redirecting = redirecting
            self.redirectHistory = redirectHistory
        }
    }
}
