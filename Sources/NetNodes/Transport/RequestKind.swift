/// The options that a request without a body sets in its handle, apart from the URL and the header fields. A request of the same kind can
/// reuse them.
///
/// The origin is part of the kind, so that no option of a request can leak to another server.
struct RequestKind {
    private let origin: Origin
    private let method: HTTPMethod
    private let connectTimeout: Int
    private let isStreamed: Bool
    private let hasOwnEncoding: Bool
    private let hasOwnAgent: Bool

    /// Creates the kind of a request; returns `nil` if it has a body.
    init?(_ transfer: CurlTransfer) {
        let request = transfer.request
        guard !request.sendsBody else { return nil }
        origin = transfer.origin
        method = request.method
        connectTimeout = transfer.connectTimeout
        isStreamed = transfer.isStreamed
        hasOwnEncoding = request.headers["Accept-Encoding"] != nil
        hasOwnAgent = request.headers["User-Agent"] != nil
    }

    /// Whether no other options need to be set.
    func isSame(as other: RequestKind?) -> Bool {
        guard let other else { return false }
        return origin == other.origin && method == other.method && connectTimeout == other.connectTimeout
            && isStreamed == other.isStreamed
            && hasOwnEncoding == other.hasOwnEncoding && hasOwnAgent == other.hasOwnAgent
    }
}

extension HTTPRequest {
    /// Whether a body is sent, even an empty one: methods that usually have a body always send one.
    var sendsBody: Bool {
        body != .none || method == .post || method == .put || method == .patch
    }
}

extension CurlTransfer {
    /// The connect timeout in milliseconds, as libcurl expects it.
    var connectTimeout: Int {
        let milliseconds = request.timeouts.connect?.wholeMilliseconds ?? Int64(Int32.max)
        return Int(min(max(1, milliseconds), Int64(Int32.max)))
    }
}
