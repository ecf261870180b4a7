public import Foundation

/// Where in a stream a consumer begins.
public enum StartPosition: Sendable, Equatable {
    /// At the oldest message that is stored.
    case first
    /// With the newest message that is stored.
    case last
    /// With the newest message of each subject.
    case lastOfEachSubject
    /// Behind everything that is stored.
    case new
    /// At a message's number.
    case sequence(Int)
    /// At the first message stored at this time or later.
    case time(Date)
}

/// How a consumer of a stream delivers.
///
/// Source: [NATS, consumers](https://docs.nats.io/nats-concepts/jetstream/consumers).
public struct ConsumerConfiguration: Sendable, Equatable {
    /// Where it begins, when it is created.
    public var start = StartPosition.first
    /// Which subjects it delivers; all of the stream if there are none. Several need a server of NATS 2.10 or later: an earlier one would deliver
    /// everything, and the consumer fails with ``NATSError/unsupported(server:reason:)``.
    public var filters: [String] = []
    /// The only one of ``filters``, or the first.
    public var filter: String? {
        get { filters.first }
        set { filters = newValue.map { [$0] } ?? [] }
    }
    /// Whether it delivers the headers without the bodies: then ``Delivery/bodySize`` is the size of what a body has been. Not for `consume(_:as:)`,
    /// which has nothing to decode.
    public var headersOnly = false
    /// What it is for, for those who look at the server.
    public var description: String?
    /// What programs note of it; stored by a server of NATS 2.10 or later.
    public var metadata: [String: String] = [:]
    /// How long a delivery may take before the message is delivered again. Those that have arrived while
    /// the stream is suspended are extended.
    public var acknowledgementWait = Duration.seconds(30)
    /// How long each delivery may take, instead of ``acknowledgementWait``: the first, the second, and so on; the last for all further ones. There are
    /// no more than ``maximumDeliveries``, if that is a limit.
    public var backoff: [Duration] = []
    /// How often a message is delivered at the most; -1 for any.
    public var maximumDeliveries = -1
    /// The number of deliveries at a time that are neither acknowledged nor refused: more are not asked for. This is the backpressure:
    /// while the stream is suspended, as many wait at the most.
    /// With 1 messages are delivered strictly in order, also after failures, to all subscribers of the consumer together; below 1 it is
    /// treated as 1.
    public var maximumInFlight = 256
    /// How long a request for messages waits for them on the server.
    public var pullExpiry = Duration.seconds(30)
    /// How often the server gives a sign while it has no messages; when two of them are missing, messages are requested again.
    public var heartbeat = Duration.seconds(5)
    /// After which time without use the server removes it; `nil` for never, if it is durable.
    public var inactivityLimit: Duration?

    /// Creates the default configuration: all messages from the first.
    public init() {}

    /// The shortest time after which a message is delivered again.
    var shortestWait: Duration { backoff.min() ?? acknowledgementWait }
}
