public import Foundation

/// A consumer as it is now.
public struct ConsumerInfo: Sendable, Equatable, Decodable {
    /// Its name: of one that has none, what the server calls it.
    public let name: String
    /// When it was created.
    public let created: Date
    /// What it is for.
    public let description: String?
    /// What programs have noted of it.
    public let metadata: [String: String]
    /// Which subjects it delivers; all of the stream if there are none.
    public let filters: [String]
    /// The number of messages that it has not delivered.
    public let pending: Int
    /// The number of messages that it has delivered, and that are not acknowledged.
    public let unacknowledged: Int
    /// The number of those that it has delivered more than once.
    public let redelivered: Int
    /// How far it has come: the number in the stream of the last message that it has delivered, or left out because of its filters.
    public let lastSequence: Int
    /// Whether its server is one of several, of which others may store more of the stream.
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
