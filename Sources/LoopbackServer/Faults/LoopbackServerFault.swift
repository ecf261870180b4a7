extension LoopbackServer {
    /// A deliberate misbehavior of the server. You can add any number of faults to a response (`response.with(...)`) or a route
    /// (`route.with(...)`), with any kind of body.
    ///
    /// Delays add up; of two faults of the same kind, the one that was added last applies. `close`, `reset` and `hang` are one kind,
    /// because a response ends once.
    public enum Fault: Sendable, Equatable {
        /// Waits before the first byte of the response.
        case delay(Duration)
        /// Sends the body in parts of this many bytes, one per interval.
        case throttle(bytes: Int, every: Duration)
        /// Closes the connection (FIN) at that moment, regardless of the announced length.
        case close(at: FaultMoment)
        /// Resets the connection (RST) at that moment.
        case reset(at: FaultMoment)
        /// Sends nothing from that moment on and keeps the connection open until the client disconnects or the server stops.
        case hang(at: FaultMoment)
        /// Announces this body length regardless of the actual one, then closes.
        case contentLength(Int)
        /// Announces no length; the body ends when the connection closes.
        case noContentLength
        /// Sends the body in chunks, the first of which has a malformed size.
        case badChunkSize
        /// Sends this instead of the status line, then closes.
        case statusLine(String)
        /// Adds one header field of this many bytes.
        case oversizedHeader(bytes: Int)

        /// Sends only this many bytes of the announced body.
        public static func truncate(after bytes: Int) -> Fault { .close(at: .inBody(after: bytes)) }

        /// Closes the connection without a response.
        public static var closeWithoutBytes: Fault { .close(at: .beforeHead) }

        /// Sends a malformed status line.
        public static var garbageStatusLine: Fault { .statusLine("This is not HTTP at all") }
    }

    /// A moment in the transmission of a response.
    public enum FaultMoment: Sendable, Equatable {
        /// Before the first byte.
        case beforeHead
        /// After the empty line that ends the header.
        case afterHead
        /// After this many bytes of the body, or at its end (before the last chunk) if it is shorter.
        case inBody(after: Int)
        /// After the complete response.
        case afterBody
    }
}

/// The combined faults of one response.
struct ResponseFaults: Sendable, Equatable {
    enum End: Sendable, Equatable { case close, reset, hang }

    var delay = Duration.zero
    var pieceBytes: Int?
    var pieceInterval = Duration.zero
    var end: End?
    var endMoment = LoopbackServer.FaultMoment.afterBody
    var contentLength: Int?
    var hasNoContentLength = false
    var hasBadChunkSize = false
    var statusLine: String?
    var oversizedHeaderBytes: Int?

    init(_ faults: [LoopbackServer.Fault]) {
        for fault in faults { add(fault) }
    }

    /// Whether the client cannot know where the response ends, so that the connection cannot be reused.
    var preventsReuse: Bool { contentLength != nil || hasNoContentLength || hasBadChunkSize || statusLine != nil }

    private mutating func add(_ fault: LoopbackServer.Fault) {
        switch fault {
        case .delay(let duration): delay += max(.zero, duration)
        case .throttle(let bytes, let interval): (pieceBytes, pieceInterval) = (max(1, bytes), max(.zero, interval))
        case .close(let moment): (end, endMoment) = (.close, moment)
        case .reset(let moment): (end, endMoment) = (.reset, moment)
        case .hang(let moment): (end, endMoment) = (.hang, moment)
        case .contentLength(let count): contentLength = count
        case .noContentLength: hasNoContentLength = true
        case .badChunkSize: hasBadChunkSize = true
        case .statusLine(let line): statusLine = line
        case .oversizedHeader(let bytes): oversizedHeaderBytes = max(0, bytes)
        }
    }
}
