public import Foundation

extension NATSStream {
    /// The position in a stream at which a consumer begins.
    public enum StartPosition: Sendable, Equatable {
        /// The oldest stored message.
        case first
        /// The newest stored message.
        case last
        /// The newest message of each subject.
        case lastOfEachSubject
        /// The end: only messages that are stored later.
        case new
        /// The message with this number.
        case sequence(Int)
        /// The first message that was stored at this time or later.
        case time(Date)
    }

    /// The way in which a consumer of a stream delivers messages.
    ///
    /// Source: [NATS, consumers](https://docs.nats.io/nats-concepts/jetstream/consumers).
    public struct ConsumerConfiguration: Sendable, Equatable {
        /// The position at which it begins when it is created.
        public var start = StartPosition.first
        /// The subjects that it delivers; if there are none, all of the stream. Several subjects need a server of NATS 2.10 or later: an
        /// earlier one would deliver everything, so the consumer fails with ``NATSError/unsupported(server:reason:)``.
        public var filters: [String] = []
        /// The only subject of ``filters``, or the first.
        public var filter: String? {
            get { filters.first }
            set { filters = newValue.map { [$0] } ?? [] }
        }
        /// Whether it delivers headers without bodies. ``NATSStream/Delivery/bodySize`` is then the size of the omitted body. Do not set it
        /// for `consume(_:as:)`, which would have nothing to decode.
        public var headersOnly = false
        /// The purpose of the consumer, for people who look at the server.
        public var description: String?
        /// The notes of programs about it; stored by a server of NATS 2.10 or later.
        public var metadata: [String: String] = [:]
        /// The time that a delivery may take before the message is delivered again. While the stream is suspended, this time is extended
        /// for messages that have arrived.
        public var acknowledgementWait = Duration.seconds(30)
        /// The time that each delivery may take, instead of ``acknowledgementWait``: the first, the second, and so on; the last one applies
        /// to all further deliveries. There are at most ``maximumDeliveries``, if that is a limit.
        public var backoff: [Duration] = []
        /// The maximum number of deliveries of a message; -1 means any number.
        public var maximumDeliveries = -1
        /// The maximum number of deliveries that are neither acknowledged nor refused: no more are requested. This is the backpressure:
        /// while the stream is suspended, at most this many wait. With 1, messages are delivered strictly in order, also after failures, to
        /// all subscribers of the consumer together. Values below 1 are treated as 1.
        public var maximumInFlight = 256
        /// The time that a request for messages waits on the server.
        public var pullExpiry = Duration.seconds(30)
        /// The interval at which the server sends a heartbeat while it has no messages. When two heartbeats are missing, messages are
        /// requested again.
        public var heartbeat = Duration.seconds(5)
        /// The time without use after which the server removes the consumer; `nil` means never, if it is durable.
        public var inactivityLimit: Duration?

        /// Creates the default configuration, which delivers all messages from the first.
        public init() {}

        /// The shortest time after which a message is delivered again.
        var shortestWait: Duration { backoff.min() ?? acknowledgementWait }
    }
}
