public import Foundation

extension NATSStream {
    /// The contents of a stream, and the way in which it stores them.
    ///
    /// Source: [NATS, streams](https://docs.nats.io/nats-concepts/jetstream/streams).
    public struct Configuration: Sendable, Equatable, Codable {
        /// The name of the stream.
        public var name: String
        /// The subjects that it stores, which may have wildcards.
        public var subjects: [String]
        /// The place where messages are stored.
        public var storage = Storage.file
        /// The rule by which messages are removed.
        public var retention = Retention.limits
        /// The treatment of messages at a limit.
        public var discard = Discard.old
        /// The number of servers of a cluster that store the stream.
        public var replicas = 1
        /// The maximum number of messages; -1 means any number.
        public var maximumMessages = -1
        /// The maximum number of messages of one subject; -1 means any number.
        public var maximumMessagesPerSubject = -1
        /// The maximum size of all messages, in bytes; -1 means any size.
        public var maximumBytes = -1
        /// The maximum size of a message, in bytes; -1 means any size.
        public var maximumMessageSize = -1
        /// The age at which messages are removed; zero means any age.
        public var maximumAge = Duration.zero
        /// The time for which the ids of messages are remembered: a message whose id was stored within this time is not stored again.
        public var duplicateWindow = Duration.seconds(120)
        /// Whether a message may replace all earlier ones of its subject.
        public var allowsRollup = false
        /// Whether any replica may answer reads.
        public var allowsDirect = false

        /// Creates a configuration with the default limits, that is, without limits.
        ///
        /// - Parameters:
        ///   - name: the name of the stream.
        ///   - subjects: the subjects that it stores; by default one with the stream's name.
        public init(name: String, subjects: [String]? = nil) {
            self.name = name
            self.subjects = subjects ?? [name]
        }

        private enum CodingKeys: String, CodingKey {
            case name, subjects, storage, retention, discard
            case replicas = "num_replicas"
            case maximumMessages = "max_msgs"
            case maximumMessagesPerSubject = "max_msgs_per_subject"
            case maximumBytes = "max_bytes"
            case maximumMessageSize = "max_msg_size"
            case maximumAge = "max_age"
            case duplicateWindow = "duplicate_window"
            case allowsRollup = "allow_rollup_hdrs"
            case allowsDirect = "allow_direct"
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                name: try values.decode(String.self, forKey: .name),
                subjects: try values.decodeIfPresent([String].self, forKey: .subjects) ?? [])
            storage = try values.decodeIfPresent(Storage.self, forKey: .storage) ?? .file
            retention = try values.decodeIfPresent(Retention.self, forKey: .retention) ?? .limits
            discard = try values.decodeIfPresent(Discard.self, forKey: .discard) ?? .old
            replicas = try values.decodeIfPresent(Int.self, forKey: .replicas) ?? 1
            maximumMessages = try values.decodeIfPresent(Int.self, forKey: .maximumMessages) ?? -1
            maximumMessagesPerSubject = try values.decodeIfPresent(Int.self, forKey: .maximumMessagesPerSubject) ?? -1
            maximumBytes = try values.decodeIfPresent(Int.self, forKey: .maximumBytes) ?? -1
            maximumMessageSize = try values.decodeIfPresent(Int.self, forKey: .maximumMessageSize) ?? -1
            maximumAge = .nanoseconds(try values.decodeIfPresent(Int64.self, forKey: .maximumAge) ?? 0)
            duplicateWindow = .nanoseconds(try values.decodeIfPresent(Int64.self, forKey: .duplicateWindow) ?? 0)
            allowsRollup = try values.decodeIfPresent(Bool.self, forKey: .allowsRollup) ?? false
            allowsDirect = try values.decodeIfPresent(Bool.self, forKey: .allowsDirect) ?? false
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encode(subjects, forKey: .subjects)
            try values.encode(storage, forKey: .storage)
            try values.encode(retention, forKey: .retention)
            try values.encode(discard, forKey: .discard)
            try values.encode(replicas, forKey: .replicas)
            try values.encode(maximumMessages, forKey: .maximumMessages)
            try values.encode(maximumMessagesPerSubject, forKey: .maximumMessagesPerSubject)
            try values.encode(maximumBytes, forKey: .maximumBytes)
            try values.encode(maximumMessageSize, forKey: .maximumMessageSize)
            try values.encode(maximumAge.wholeNanoseconds, forKey: .maximumAge)
            try values.encode(duplicateWindow.wholeNanoseconds, forKey: .duplicateWindow)
            if allowsRollup { try values.encode(true, forKey: .allowsRollup) }
            if allowsDirect { try values.encode(true, forKey: .allowsDirect) }
        }
    }

    /// The place where messages are stored.
    public enum Storage: String, Sendable, Codable {
        /// Messages are stored on disk.
        case file
        /// Messages are stored in memory: they are gone when the last of the servers stops.
        case memory
    }

    /// The rule by which messages are removed.
    public enum Retention: String, Sendable, Codable {
        /// Messages are removed at the limits.
        case limits
        /// Messages are removed when every consumer has acknowledged them.
        case interest
        /// Messages are removed when one consumer has acknowledged them.
        case workQueue = "workqueue"
    }

    /// The treatment of messages at a limit.
    public enum Discard: String, Sendable, Codable {
        /// The oldest messages are removed.
        case old
        /// Further messages are refused.
        case new
    }

    /// The current state of a stream.
    public struct Info: Sendable, Equatable, Decodable {
        /// The configuration of the stream.
        public let configuration: Configuration
        /// The contents of the stream.
        public let state: State
        /// The time at which it was created.
        public let created: Date

        private enum CodingKeys: String, CodingKey {
            case state, created
            case configuration = "config"
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            configuration = try values.decode(Configuration.self, forKey: .configuration)
            state = try values.decode(State.self, forKey: .state)
            created = Date(serverTime: try values.decode(String.self, forKey: .created))
        }

        /// Whether a message belongs to an earlier stream of the same name.
        func isNewer(than message: DeliveryMetadata) -> Bool {
            created > message.time || state.lastSequence < message.sequence
        }
    }

    /// The contents of a stream.
    public struct State: Sendable, Equatable, Decodable {
        /// The number of messages.
        public let messages: Int
        /// The size of the messages in bytes.
        public let bytes: Int
        /// The number of the oldest message.
        public let firstSequence: Int
        /// The number of the newest message.
        public let lastSequence: Int
        /// The number of consumers.
        public let consumers: Int

        private enum CodingKeys: String, CodingKey {
            case messages, bytes
            case firstSequence = "first_seq"
            case lastSequence = "last_seq"
            case consumers = "consumer_count"
        }
    }
}

extension Date {
    /// Parses a time as the server writes it.
    init(serverTime text: String) {
        self =
            (try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)))
            ?? (try? Date(text, strategy: .iso8601)) ?? .distantPast
    }
}

extension Duration {
    /// The duration as the server counts it; one that does not fit is as long as possible.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLong ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
    }
}
