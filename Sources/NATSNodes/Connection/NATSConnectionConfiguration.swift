import Foundation
public import SocketNodes

extension NATSConnection {
    /// The settings of a connection to NATS.
    public struct Configuration: Sendable {
        /// The name of the connection in the server's monitoring.
        public var name: String?
        /// The credentials, which replace the user and password of a URL.
        public var credentials: Credentials?
        /// The verification and certificates for TLS. If you set it, TLS is required, as with the scheme `tls`; a server that requires TLS
        /// gets it anyway.
        public var tls: TLSOptions?
        /// Whether the connection also uses servers that the cluster announces.
        public var usesDiscoveredServers = true
        /// Whether a subscription receives messages that this connection has published.
        public var receivesOwnMessages = true
        /// The longest time for a server to accept a connection.
        public var connectTimeout = Duration.seconds(10)
        /// The time between two checks of an idle connection.
        public var pingInterval = Duration.seconds(120)
        /// The number of unanswered checks after which a connection counts as lost.
        public var maximumOutstandingPings = 2
        /// The delays between attempts to connect again, after each known server has been tried. For the first connection, each server is
        /// tried once.
        public var reconnection = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(5), maxAttempts: .max)
        /// The maximum number of bytes that wait to be sent, also while there is no connection; a further message fails with
        /// ``NATSError/pendingLimit(bytes:)``. A source that `publish(to:subject:)` can suspend already waits at half of it, or at 1 MB if
        /// that is less.
        public var maximumPendingBytes = 8 * 1024 * 1024
        /// The largest message that is accepted, in bytes.
        public var maximumMessageSize = 64 * 1024 * 1024
        /// The time that a request waits for an answer.
        public var requestTimeout = Duration.seconds(5)
        /// Creates the encoder of values that are neither `Data` nor `String`.
        public var encoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
        /// Creates the decoder of values that are neither `Data` nor `String`.
        public var decoder: @Sendable () -> JSONDecoder = { JSONDecoder() }
        /// The scheduler that runs the timeouts and delays.
        public var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

        /// Creates the default configuration.
        public init() {}
    }
}
