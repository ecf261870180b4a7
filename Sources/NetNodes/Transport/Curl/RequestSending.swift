internal import CLibcurl

/// The number of times that libcurl has sent a request, and the connections that it used.
///
/// When a reused connection ends without a byte of the response, libcurl sends the request again on another one, although the server may
/// have received it. After a new connection, it repeats only requests that an HTTP/2 server has rejected unprocessed.
struct RequestSending {
    private let isIdempotent: Bool
    /// Whether at least a part of the request has been sent.
    private(set) var hasBegun = false
    /// The local port of the connection; 0 while there is none.
    var localPort: UInt16 = 0
    /// Whether nothing was sent because the connection had unexpected input.
    var isConnectionRejected = false
    private var isOnReusedConnection = false
    /// The number of connections made for the request.
    private var connections = 0
    private var isRepeatRejected = false
    /// libcurl's message that explains the end of a connection on which the request must not be repeated.
    private var lossMessage: String?

    init(_ request: HTTPRequest) {
        isIdempotent = request.method.isIdempotent
    }

    /// Whether the server may have received a request that must not be sent twice.
    var isCritical: Bool { hasBegun && !isIdempotent }

    /// Returns whether libcurl may send the request, possibly again.
    ///
    /// - Parameter message: libcurl's message so far.
    mutating func allow(_ message: @autoclosure () -> String?) -> Bool {
        isRepeatRejected = isOnReusedConnection && !isIdempotent
        if isRepeatRejected { lossMessage = lossMessage ?? message() }
        return !isRepeatRejected
    }

    /// - Parameter connections: the number of connections made for the request so far.
    mutating func begin(connections: Int) {
        isOnReusedConnection = connections == self.connections
        self.connections = connections
        hasBegun = true
    }

    /// Returns the reason of a failure that means that the connection was lost, and that the request could not be sent again.
    func loss(after code: CURLcode) -> String? {
        let lookupFailed = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY
        guard isRepeatRejected || isOnReusedConnection && lookupFailed else { return nil }
        return lossMessage ?? "Empty reply from server"
    }
}
