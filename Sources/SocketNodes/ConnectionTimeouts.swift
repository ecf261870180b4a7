/// The timeouts of a connection and of the transfers on it. `nil` means no limit.
public struct ConnectionTimeouts: Sendable, Equatable {
    /// The connect timeout, including name resolution and TLS.
    public var connect: Duration?
    /// The idle timeout: the time without any bytes from the server on an established connection.
    public var idle: Duration?
    /// The total timeout, including redirects.
    public var total: Duration?

    /// Creates time limits; `nil` means no limit.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
