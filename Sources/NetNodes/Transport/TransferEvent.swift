public import Foundation

/// What happens during a transfer, in this order: `sent`, `progress` of an upload, `head`, `chunk` any number of times, `end`.
public enum TransferEvent: Sendable, Equatable {
    /// A connection stands and the request goes out on it. Comes again for each redirect that is followed.
    case sent
    /// So many bytes of the request's body are on their way.
    case progress(TransferProgress)
    /// The response has begun.
    case head(HTTPResponseHead)
    /// The next bytes of the response's body, decompressed, as they come.
    case chunk(Data)
    /// The response is complete.
    case end(TransferMetrics)
}

/// How far a body is.
public struct TransferProgress: Sendable, Equatable {
    /// Bytes done.
    public var completed: Int64
    /// Bytes in all, where this is known.
    public var total: Int64?

    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// Between 0 and 1, where the whole is known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
    }
}

/// Times and counts of one transfer. The times run from its start, those of the last request where redirects were followed.
public struct TransferMetrics: Sendable, Equatable {
    /// Until the host's name was resolved.
    public var nameLookup: Duration?
    /// Until the TCP connection stood.
    public var connect: Duration?
    /// Until TLS was established; `nil` without TLS.
    public var secureConnect: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the last byte of the response, redirects included.
    public var total: Duration
    /// Bytes of the request's body.
    public var bytesSent: Int64
    /// Bytes of the response's body as they came over the wire.
    public var bytesReceived: Int64
    /// Whether a connection that stood already was used.
    public var reusedConnection: Bool
    /// Redirects that were followed.
    public var redirects: Int
    /// For example `HTTP/1.1` or `HTTP/2`.
    public var protocolName: String?
    /// The address that answered.
    public var remoteAddress: String?
    /// When the server's certificate expires, with TLS; what was told when the connection was made.
    public var certificateExpiry: Date?

    public init(
        nameLookup: Duration? = nil, connect: Duration? = nil, secureConnect: Duration? = nil, firstByte: Duration? = nil,
        total: Duration = .zero, bytesSent: Int64 = 0, bytesReceived: Int64 = 0, reusedConnection: Bool = false, redirects: Int = 0,
        protocolName: String? = nil, remoteAddress: String? = nil, certificateExpiry: Date? = nil
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
    }
}
