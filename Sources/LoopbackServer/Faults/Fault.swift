/// What a server can do wrong on purpose. Any number of them go on a response (`response.with(...)`) or on a route (`route.with(...)`), on any kind
/// of body.
///
/// Delays add up; of two faults of the same kind the one that was added last counts. `close`, `reset` and `hang` are one kind: there is one end.
public enum Fault: Sendable, Equatable {
    /// Waits before the first byte of the response.
    case delay(Duration)
    /// Sends the body in pieces of so many bytes, one each interval.
    case drip(bytes: Int, every: Duration)
    /// Ends the connection in the ordinary way (FIN) at that moment, whatever was promised.
    case close(at: Moment)
    /// Ends the connection with a reset (RST) at that moment.
    case reset(at: Moment)
    /// Sends nothing more from that moment on and leaves the connection open until the client goes away or the server stops.
    case hang(at: Moment)
    /// Announces this many bytes of body, whatever follows; then closes.
    case contentLength(Int)
    /// Announces no length; the body ends with the connection.
    case noContentLength
    /// Sends the body in chunks, the first of which has a size that is no number.
    case badChunkSize
    /// Sends this in place of the status line; then closes.
    case statusLine(String)
    /// Adds one header field of this many bytes.
    case oversizedHeader(bytes: Int)

    /// A moment in the course of a response.
    public enum Moment: Sendable, Equatable {
        /// Before the first byte.
        case beforeHead
        /// After the empty line that ends the header.
        case afterHead
        /// After this many bytes of the body, or at its end (before the last chunk's mark) if it has fewer.
        case inBody(after: Int)
        /// After everything was sent.
        case afterBody
    }

    /// Sends only this many bytes of the body that was announced.
    public static func truncate(after bytes: Int) -> Fault { .close(at: .inBody(after: bytes)) }

    /// Closes the connection without an answer.
    public static var closeWithoutBytes: Fault { .close(at: .beforeHead) }

    /// A status line that is none.
    public static var garbageStatusLine: Fault { .statusLine("This is not HTTP at all") }
}

/// The faults of one response, put together.
struct FaultPlan: Sendable, Equatable {
    enum End: Sendable, Equatable { case close, reset, hang }

    var delay = Duration.zero
    var pieceBytes: Int?
    var pieceInterval = Duration.zero
    var end: End?
    var endMoment = Fault.Moment.afterBody
    var contentLength: Int?
    var hasNoContentLength = false
    var hasBadChunkSize = false
    var statusLine: String?
    var oversizedHeaderBytes: Int?

    init(_ faults: [Fault]) {
        for fault in faults { add(fault) }
    }

    /// Whether the client cannot know where the response ends, so that the connection is of no further use.
    var spoilsConnection: Bool { contentLength != nil || hasNoContentLength || hasBadChunkSize || statusLine != nil }

    private mutating func add(_ fault: Fault) {
        switch fault {
        case .delay(let duration): delay += max(.zero, duration)
        case .drip(let bytes, let interval): (pieceBytes, pieceInterval) = (max(1, bytes), max(.zero, interval))
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
