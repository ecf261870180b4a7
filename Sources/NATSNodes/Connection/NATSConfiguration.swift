import Foundation
public import SocketNodes

/// How a connection to NATS behaves.
public struct NATSConfiguration: Sendable {
    /// Names the connection in the server's monitoring.
    public var name: String?
    /// Used instead of the user and password of a URL.
    public var credentials: NATSCredentials?
    /// Verification and certificates for TLS. Setting it requires TLS, like the scheme `tls`; a server that requires TLS gets it anyway.
    public var tls: TLSOptions?
    /// Whether servers announced by the cluster are used besides the configured ones.
    public var usesDiscoveredServers = true
    /// Whether a subscription receives what this connection has published.
    public var receivesOwnMessages = true
    /// The longest time for a server to accept a connection.
    public var connectTimeout = Duration.seconds(10)
    /// The time between two checks of an idle connection.
    public var pingInterval = Duration.seconds(120)
    /// How many checks without an answer are a lost connection.
    public var maximumOutstandingPings = 2
    /// The delays between attempts to connect again, after each known server has been tried. The first connection is tried once with each.
    public var reconnection = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(5), maxAttempts: .max)
    /// The number of bytes that wait to be sent, also while there is no connection; a further message fails with
    /// ``NATSError/pendingLimit(bytes:)``. A source that a `publish(to:subject:)` can suspend waits at half of it, and at 1 MB, instead.
    public var maximumPendingBytes = 8 * 1024 * 1024
    /// The largest message that is accepted, in bytes.
    public var maximumMessageSize = 64 * 1024 * 1024
    /// How long a request waits for an answer.
    public var requestTimeout = Duration.seconds(5)
    /// Encodes values that are neither `Data` nor `String`.
    public var encoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
    /// Decodes values that are neither `Data` nor `String`.
    public var decoder: @Sendable () -> JSONDecoder = { JSONDecoder() }
    /// Runs the timeouts and delays.
    public var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Creates the default configuration.
    public init() {}
}
