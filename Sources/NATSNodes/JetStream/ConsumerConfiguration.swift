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
    /// Which subjects it delivers; `nil` for all of the stream.
    public var filter: String?
    /// How long a delivery may take before the message is delivered again. Those that have arrived while
    /// the stream is suspended are extended.
    public var acknowledgementWait = Duration.seconds(30)
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
}

/// The request that creates a consumer.
struct ConsumerRequest: Encodable {
    let stream: String
    let durable: String?
    let isOrdered: Bool
    let configuration: ConsumerConfiguration

    private enum RequestKeys: String, CodingKey {
        case stream = "stream_name"
        case configuration = "config"
    }

    private enum Keys: String, CodingKey {
        case durable = "durable_name"
        case deliverPolicy = "deliver_policy"
        case startSequence = "opt_start_seq"
        case startTime = "opt_start_time"
        case acknowledgementPolicy = "ack_policy"
        case acknowledgementWait = "ack_wait"
        case maximumDeliveries = "max_deliver"
        case maximumPending = "max_ack_pending"
        case filter = "filter_subject"
        case replayPolicy = "replay_policy"
        case inactivityLimit = "inactive_threshold"
        case replicas = "num_replicas"
        case isInMemory = "mem_storage"
    }

    func encode(to encoder: any Encoder) throws {
        var request = encoder.container(keyedBy: RequestKeys.self)
        try request.encode(stream, forKey: .stream)
        var values = request.nestedContainer(keyedBy: Keys.self, forKey: .configuration)
        try values.encodeIfPresent(durable, forKey: .durable)
        try encodeStart(in: &values)
        try values.encodeIfPresent(configuration.filter, forKey: .filter)
        try values.encode("instant", forKey: .replayPolicy)
        try values.encodeIfPresent(configuration.inactivityLimit?.wholeNanoseconds, forKey: .inactivityLimit)
        guard !isOrdered else {
            try values.encode("none", forKey: .acknowledgementPolicy)
            try values.encode(1, forKey: .maximumDeliveries)
            try values.encode(1, forKey: .replicas)
            return try values.encode(true, forKey: .isInMemory)
        }
        try values.encode("explicit", forKey: .acknowledgementPolicy)
        try values.encode(configuration.acknowledgementWait.wholeNanoseconds, forKey: .acknowledgementWait)
        try values.encode(configuration.maximumDeliveries, forKey: .maximumDeliveries)
        let isStrict = configuration.maximumInFlight <= 1
        try values.encode(isStrict ? 1 : max(1_000, configuration.maximumInFlight), forKey: .maximumPending)
    }

    private func encodeStart(in values: inout KeyedEncodingContainer<Keys>) throws {
        switch configuration.start {
        case .first: try values.encode("all", forKey: .deliverPolicy)
        case .last: try values.encode("last", forKey: .deliverPolicy)
        case .lastOfEachSubject: try values.encode("last_per_subject", forKey: .deliverPolicy)
        case .new: try values.encode("new", forKey: .deliverPolicy)
        case .sequence(let number):
            try values.encode("by_start_sequence", forKey: .deliverPolicy)
            try values.encode(number, forKey: .startSequence)
        case .time(let time):
            try values.encode("by_start_time", forKey: .deliverPolicy)
            try values.encode(
                time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)),
                forKey: .startTime)
        }
    }
}

/// The part of the server's answer that matters.
struct ConsumerInfo: Decodable, Sendable {
    let name: String
    /// The number of messages that it has not delivered.
    let pending: Int
    private let cluster: Cluster?

    /// Whether its server is one of several, of which others may store more of the stream.
    var isInCluster: Bool { cluster != nil }

    private struct Cluster: Decodable, Sendable {}

    private enum CodingKeys: String, CodingKey {
        case name, cluster
        case pending = "num_pending"
    }
}
