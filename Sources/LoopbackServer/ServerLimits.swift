/// The sizes and times that a server accepts. A request beyond a limit is answered with 408, 413, 414 or 431.
public struct ServerLimits: Sendable, Equatable {
    /// The maximum bytes of a request line, beyond which the response is 414.
    public var requestLineBytes = 16 << 10
    /// The maximum bytes of all header lines of a request, beyond which the response is 431.
    public var headerBytes = 64 << 10
    /// The maximum bytes of a request's body, beyond which the response is 413.
    public var bodyBytes = 64 << 20
    /// The maximum bytes of a streaming body buffered for a slow client; beyond it the connection is aborted and the stream disposed.
    public var streamBufferBytes = 16 << 20
    /// The maximum number of recorded requests; the oldest are removed first.
    public var recordedRequests = 10_000
    /// The maximum memory of the recorded requests, with targets, headers and bodies; the oldest are removed first.
    public var recordedBytes = 64 << 20
    /// The idle timeout: how long a client may send nothing while a request is incomplete, or receive nothing of a response, before the
    /// connection is closed. It does not apply while the client waits for the server: for a handler, a delay, a hang, or a stream without
    /// events.
    public var idleTime = Duration.seconds(60)
    /// The request timeout: the time from the first byte of a request to its last, after which the response is 408.
    public var requestTime = Duration.seconds(60)

    /// Creates the default limits.
    public init() {}
}
