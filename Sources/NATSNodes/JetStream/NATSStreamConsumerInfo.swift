public import Foundation

extension NATSStream {
    /// The current state of a consumer.
    public struct ConsumerInfo: Sendable, Equatable, Decodable {
        /// The name of the consumer; the server chooses it for one that has none.
        public let name: String
        /// The time at which it was created.
        public let created: Date
        /// The purpose of the consumer.
        public let description: String?
        /// The notes of programs about it.
        public let metadata: [String: String]
        /// The subjects that it delivers; if there are none, all of the stream.
        public let filters: [String]
        /// The number of messages that it has not delivered.
        public let pending: Int
        /// The number of messages that it has delivered and that are not acknowledged yet.
        public let unacknowledged: Int
        /// The number of those messages that it has delivered more than once.
        public let redelivered: Int
        /// The position that it has reached: the number in the stream of the last message that it has delivered, or skipped because of its
        /// filters.
        public let lastSequence: Int
        /// Whether its server belongs to a cluster, in which other servers may store more of the stream.
        let isInCluster: Bool

        private struct Cluster: Decodable {}

        private struct Delivered: Decodable {
            let sequence: Int?

            private enum CodingKeys: String, CodingKey {
                case sequence = "stream_seq"
            }
        }

        private struct Configuration: Decodable {
            let description: String?
            let metadata: [String: String]?
            let filter: String?
            let filters: [String]?

            private enum CodingKeys: String, CodingKey {
                case description, metadata
                case filter = "filter_subject"
                case filters = "filter_subjects"
            }
        }

        private enum CodingKeys: String, CodingKey {
            case name, cluster, created, delivered
            case configuration = "config"
            case pending = "num_pending"
            case unacknowledged = "num_ack_pending"
            case redelivered = "num_redelivered"
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let configuration = try values.decodeIfPresent(Configuration.self, forKey: .configuration)
            name = try values.decode(String.self, forKey: .name)
            created = Date(serverTime: try values.decodeIfPresent(String.self, forKey: .created) ?? "")
            description = configuration?.description
            metadata = configuration?.metadata ?? [:]
            filters = configuration?.filters ?? configuration?.filter.map { [$0] } ?? []
            pending = try values.decode(Int.self, forKey: .pending)
            unacknowledged = try values.decodeIfPresent(Int.self, forKey: .unacknowledged) ?? 0
            redelivered = try values.decodeIfPresent(Int.self, forKey: .redelivered) ?? 0
            lastSequence = try values.decodeIfPresent(Delivered.self, forKey: .delivered)?.sequence ?? 0
            isInCluster = try values.decodeIfPresent(Cluster.self, forKey: .cluster) != nil
        }
    }
}
