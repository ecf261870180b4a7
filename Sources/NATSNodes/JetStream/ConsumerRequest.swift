import Foundation

/// The request that creates a consumer.
struct ConsumerRequest: Encodable {
    let stream: String
    let durable: String?
    let isOrdered: Bool
    let configuration: NATSStream.ConsumerConfiguration

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
        case backoff, description, metadata
        case filter = "filter_subject"
        case filters = "filter_subjects"
        case headersOnly = "headers_only"
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
        if configuration.filters.count > 1 {
            try values.encode(configuration.filters, forKey: .filters)
        } else {
            try values.encodeIfPresent(configuration.filter, forKey: .filter)
        }
        if configuration.headersOnly { try values.encode(true, forKey: .headersOnly) }
        try values.encodeIfPresent(configuration.description, forKey: .description)
        if !configuration.metadata.isEmpty { try values.encode(configuration.metadata, forKey: .metadata) }
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
        if !configuration.backoff.isEmpty { try values.encode(configuration.backoff.map(\.wholeNanoseconds), forKey: .backoff) }
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
