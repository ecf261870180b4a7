public import Foundation

extension NATSStream {
    /// A message of a stream, and the place where it is stored.
    public struct StoredMessage<Body: Sendable>: Sendable {
        /// The message as it was published.
        public var message: NATSMessage<Body>
        /// The number of the message in the stream, from 1.
        public var sequence: Int
        /// The time at which it was stored.
        public var time: Date

        /// Creates a message, for stubs in tests.
        public init(_ message: NATSMessage<Body>, sequence: Int, time: Date = Date()) {
            self.message = message
            self.sequence = sequence
            self.time = time
        }

        /// The payload of the message, or the value that was decoded from it.
        public var body: Body { message.body }

        /// The subject of the message.
        public var subject: String { message.subject }
    }
}

extension NATSStream.StoredMessage: Equatable where Body: Equatable {}

/// The answer to the request for one message.
struct StoredMessageAnswer: Decodable, Sendable {
    struct Stored: Decodable, Sendable {
        let subject: String
        let seq: Int
        let data: String?
        let hdrs: String?
        let time: String
    }

    let message: Stored

    /// - Parameter report: called for malformed headers, which any publisher can send: the message then has none.
    func asMessage(reporting report: (NATSConnection.Event) -> Void) throws(NATSError) -> NATSStream.StoredMessage<Data> {
        guard sequences.contains(message.seq) else {
            throw .undecodable(subject: message.subject, reason: "its number is \(message.seq)")
        }
        let body = Data(base64Encoded: message.data ?? "") ?? Data()
        var headers = NATSHeaders()
        if let block = message.hdrs.flatMap({ Data(base64Encoded: $0) }), !block.isEmpty {
            do throws(NATSError.ProtocolViolation) { headers = try Self.headers(block) } catch {
                report(.serverError(.protocolViolation(error)))
            }
        }
        return NATSStream.StoredMessage(
            NATSMessage(subject: message.subject, body: body, headers: headers), sequence: message.seq, time: Date(serverTime: message.time)
        )
    }

    private static func headers(_ block: Data) throws(NATSError.ProtocolViolation) -> NATSHeaders {
        try block.withUnsafeBytes { bytes in
            Result { () throws(NATSError.ProtocolViolation) in try NATSHeaders(parsing: bytes) }
        }.get()
    }
}

/// The numbers that messages can have. They leave room for calculations, since a server may send any number.
private let sequences = 0..<(Int.max / 2)

/// The facts that the reply subject of a delivered message states about it.
///
/// Source: [NATS, ADR-15](https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md).
struct DeliveryMetadata: Sendable, Equatable {
    let stream: String
    let consumer: String
    /// The number of times that the message has been delivered, including this time.
    let deliveries: Int
    let sequence: Int
    /// The number of the delivery.
    let consumerSequence: Int
    let time: Date
    /// The number of messages after it.
    let pending: Int

    init?(reply: String?) {
        guard let reply, reply.hasPrefix("$JS.ACK.") else { return nil }
        var parts = reply.split(separator: ".").dropFirst(2)
        // Newer servers add the domain and the account in front, and a token at the end.
        if parts.count >= 9 { parts = parts.dropFirst(2).prefix(7) }
        guard parts.count == 7 else { return nil }
        let numbers = parts.dropFirst(2).compactMap { Int($0) }
        guard numbers.count == 5, numbers.allSatisfy(sequences.contains) else { return nil }
        (stream, consumer) = (String(parts[parts.startIndex]), String(parts[parts.startIndex + 1]))
        (deliveries, sequence, consumerSequence, pending) = (numbers[0], numbers[1], numbers[2], numbers[4])
        time = Date(timeIntervalSince1970: Double(numbers[3]) / 1e9)
    }
}
