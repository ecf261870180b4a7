/// What a request without a body has set in its handle beside the URL and the header fields: one of the same kind sets only those again.
///
/// Where a request goes is a part of it, so nothing of one party's requests can stay for those to another.
struct RequestKind {
    private let origin: Origin
    private let method: HTTPMethod
    private let connectTimeout: Int
    private let hasOwnEncoding: Bool
    private let hasOwnAgent: Bool

    /// `nil` for a request with a body.
    init?(_ transfer: CurlTransfer) {
        let request = transfer.request
        guard !request.sendsBody else { return nil }
        origin = transfer.origin
        method = request.method
        connectTimeout = transfer.connectTimeout
        hasOwnEncoding = request.headers["Accept-Encoding"] != nil
        hasOwnAgent = request.headers["User-Agent"] != nil
    }

    /// Whether nothing else is to be set.
    func isSame(as other: RequestKind?) -> Bool {
        guard let other else { return false }
        return origin == other.origin && method == other.method && connectTimeout == other.connectTimeout
            && hasOwnEncoding == other.hasOwnEncoding && hasOwnAgent == other.hasOwnAgent
    }
}

extension HTTPRequest {
    /// Whether there is a body, be it an empty one: the methods that are expected to have one always do.
    var sendsBody: Bool {
        body != .none || method == .post || method == .put || method == .patch
    }
}

extension CurlTransfer {
    /// Milliseconds until the connection must stand, as libcurl wants them.
    var connectTimeout: Int {
        let milliseconds = request.timeouts.connect?.wholeMilliseconds ?? Int64(Int32.max)
        return Int(min(max(1, milliseconds), Int64(Int32.max)))
    }
}
