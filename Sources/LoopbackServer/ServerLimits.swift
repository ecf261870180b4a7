/// How much a server takes and keeps, and how long it waits. A request beyond a limit is answered with 408, 413, 414 or 431.
public struct ServerLimits: Sendable, Equatable {
    /// Bytes of a request line, beyond which the answer is 414.
    public var requestLineBytes = 16 << 10
    /// Bytes of all header lines of a request, beyond which the answer is 431.
    public var headerBytes = 64 << 10
    /// Bytes of a request's body, beyond which the answer is 413.
    public var bodyBytes = 64 << 20
    /// Bytes of a streaming body that wait for a slow client; when there are more the connection is broken off and the stream disposed.
    public var streamBufferBytes = 16 << 20
    /// Requests that are remembered; the oldest are forgotten first.
    public var recordedRequests = 10_000
    /// Bytes of memory that the remembered requests take, with targets, headers and bodies; the oldest requests are forgotten first.
    public var recordedBytes = 64 << 20
    /// How long a client may send nothing while a request of it is waited for, or take nothing of an answer. Then the connection is closed.
    /// Not counted is while the server makes the client wait: a handler, a delay, a hang, a stream without events.
    public var idleTime = Duration.seconds(60)
    /// How long a request may take from its first byte to its last, however little comes at a time. Then the answer is 408.
    public var requestTime = Duration.seconds(60)

    /// The usual limits.
    public init() {}
}
