public import Foundation
public import SocketNodes

/// Consuming with acknowledgements.
extension NATSStream {
    /// Delivers the messages of the stream to a durable consumer, which the server remembers by its name. Each message is delivered until
    /// it is acknowledged.
    ///
    /// Subscribers of the same name, in any number of processes, share the messages. At most
    /// ``NATSStream/ConsumerConfiguration/maximumInFlight`` deliveries are unfinished at a time, and no more are requested: a slow consumer
    /// delays no other consumer, and needs bounded memory. While the stream is suspended, nothing is requested or acknowledged.
    ///
    /// - Parameters:
    ///   - consumer: the name of the consumer.
    ///   - change: sets how the consumer delivers. The consumer is created or changed on subscription.
    public func consume(
        _ consumer: String, _ change: @escaping @Sendable (inout ConsumerConfiguration) -> Void = { _ in }
    ) -> Observable<Delivery<Data>> {
        pulled(consumer, change).map { [bus] in Delivery($0, bus) }
    }

    /// Delivers decoded messages: `Data` and `String` as they are, other types from JSON. A message that cannot be decoded is terminated
    /// and skipped, and ``NATSConnection/events`` reports it; it stays in the stream, unless the stream removes finished messages. To
    /// handle such messages in another way, decode each delivery of ``consume(_:_:)``. Otherwise like that method.
    public func consume<Body: Decodable & Sendable>(
        _ consumer: String, as type: Body.Type, _ change: @escaping @Sendable (inout ConsumerConfiguration) -> Void = { _ in }
    ) -> Observable<Delivery<Body>> {
        let pulled = pulled(consumer, change)
        return .deferred { [bus] in
            let decoding = SerialState(bus.coding.makeDecoder(for: type))
            return pulled.compactMap { pulled in
                let body = bus.core.unlessSkipped { () throws(NATSError) in
                    try decoding.value(pulled.message.body, pulled.message.subject)
                }
                if let body { return Delivery(pulled.stored(body), pulled, bus) }
                Delivery(pulled, bus).terminate()
                return nil
            }
        }
    }

    private func pulled(
        _ consumer: String, _ change: @Sendable (inout ConsumerConfiguration) -> Void
    ) -> Observable<PullSession.Pulled> {
        var configuration = ConsumerConfiguration()
        change(&configuration)
        let (stream, final) = (self, configuration)
        return createConsumer(consumer, final).flatMap { _ in PullSession.stream(stream, consumer: consumer, final, .askAgain) }
    }
}

extension NATSStream.Delivery {
    fileprivate convenience init(_ stored: NATSStream.StoredMessage<Body>, _ pulled: PullSession.Pulled, _ bus: NATSConnection) {
        self.init(stored, pulled.metadata, reply: pulled.message.reply ?? "", bus, finish: pulled.finish)
    }
}

extension NATSStream.Delivery where Body == Data {
    fileprivate convenience init(_ pulled: PullSession.Pulled, _ bus: NATSConnection) {
        self.init(pulled.stored(pulled.message.body), pulled, bus)
    }
}

extension PullSession.Pulled {
    func stored<Body>(_ body: Body) -> NATSStream.StoredMessage<Body> {
        NATSStream.StoredMessage(
            NATSMessage(subject: message.subject, body: body, headers: message.headers), sequence: metadata.sequence, time: metadata.time)
    }
}
