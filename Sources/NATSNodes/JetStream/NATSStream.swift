public import Foundation
public import SocketNodes

/// Messages of some subjects that the servers store, replicate and replay.
///
/// ```swift
/// let stream = bus.stream("ORDERS")
/// _ = try await stream.create().value
/// orders.store(in: stream, id: \.number).subscribe().disposed(by: bag)
/// stream.consume("billing", as: Order.self).subscribe(onNext: { delivery in
///     bill(delivery.body)
///     delivery.acknowledge()
/// }).disposed(by: bag)
/// ```
///
/// What a server has acknowledged is not lost; it is delivered at least once, and replayed in order; with ids it is stored once. A value: making one
/// asks nothing of a server.
///
/// Source: [NATS, JetStream](https://docs.nats.io/nats-concepts/jetstream).
public struct NATSStream: Sendable {
    /// Its name.
    public let name: String
    /// The domain of the servers that store it; `nil` for those that the connection is to.
    public let domain: String?
    let bus: NATSConnection
    var api: JetStreamAPI { JetStreamAPI(bus: bus, domain: domain) }

    /// Creates the stream, or gives it this configuration if it is there already. By default it stores one subject, which is called like it.
    public func create(_ change: @escaping @Sendable (inout StreamConfiguration) -> Void = { _ in }) -> Single<StreamInfo> {
        var configuration = StreamConfiguration(name: name)
        change(&configuration)
        configuration.name = name
        let (api, wanted) = (api, configuration)
        return checked { name in
            api.call("STREAM.CREATE.\(name)", as: StreamInfo.self) { wanted }.catch { error in
                // It is there with another configuration.
                guard case NATSError.jetStream(let failure) = error, failure.code == 10_058 else { throw error }
                return api.call("STREAM.UPDATE.\(name)", as: StreamInfo.self) { wanted }
            }
        }
    }

    /// The configuration of the stream, and what it stores.
    public func info() -> Single<StreamInfo> {
        checked { [api] in api.call("STREAM.INFO.\($0)", as: StreamInfo.self) }
    }

    /// Deletes the stream and everything in it.
    public func delete() -> Completable {
        checked { [api] in api.call("STREAM.DELETE.\($0)", as: APISuccess.self) }.asCompletable()
    }

    /// Deletes messages, and emits how many: all, or those of a subject, with or without wildcards; of these all, or those before one that stays, or
    /// all but the newest.
    ///
    /// Fails with ``NATSError/jetStream(_:)`` if it is told both which one stays first and how many stay.
    ///
    /// - Parameters:
    ///   - subject: of which subject.
    ///   - sequence: the number of the first message that stays.
    ///   - count: how many of the newest stay.
    public func purge(_ subject: String? = nil, before sequence: Int? = nil, keeping count: Int? = nil) -> Single<Int> {
        checked { [api] name in
            // A server takes the number of the first message for none, and deletes everything.
            if let sequence, sequence <= 1 { return .just(0) }
            let request = PurgeRequest(filter: subject, seq: sequence, keep: count.map { max($0, 0) })
            return api.call("STREAM.PURGE.\(name)", as: PurgeAnswer.self) { request }.map(\.purged)
        }
    }

    /// Deletes one message.
    public func deleteMessage(_ sequence: Int) -> Completable {
        checked { [api] in api.call("STREAM.MSG.DELETE.\($0)", as: APISuccess.self) { ["seq": sequence] } }.asCompletable()
    }

    /// Deletes a consumer, and with it how far it has come.
    public func deleteConsumer(_ consumer: String) -> Completable {
        checked { [api] name in
            try Subject.checkName(consumer)
            return api.call("CONSUMER.DELETE.\(name).\(consumer)", as: APISuccess.self)
        }
        .asCompletable()
    }

    /// The consumers of the stream.
    public func consumers() -> Observable<ConsumerInfo> {
        .deferred {
            try Subject.checkName(name)
            return api.list("CONSUMER.LIST.\(name)", as: ConsumerPage.self)
        }
    }

    /// A consumer as it is now; fails with a ``JetStreamError`` of status 404 if there is none of that name.
    public func consumerInfo(_ consumer: String) -> Single<ConsumerInfo> {
        checked { [api] name in
            try Subject.checkName(consumer)
            return api.call("CONSUMER.INFO.\(name).\(consumer)", as: ConsumerInfo.self)
        }
    }

    /// The message with a number; fails with a ``JetStreamError`` of status 404 if it is not stored.
    public func message(_ sequence: Int) -> Single<StoredMessage<Data>> {
        stored { ["seq": sequence] }
    }

    /// The newest message of a subject; fails with a ``JetStreamError`` of status 404 if none is stored.
    public func lastMessage(_ subject: String) -> Single<StoredMessage<Data>> {
        stored { ["last_by_subj": subject] }
    }

    private func stored(_ request: @escaping @Sendable () -> any Encodable) -> Single<StoredMessage<Data>> {
        checked { [api] in
            api.call("STREAM.MSG.GET.\($0)", as: StoredMessageAnswer.self, request).map { [core = bus.core] answer in
                try answer.asMessage(reporting: core.report)
            }
        }
    }

    /// Creates a durable consumer, or leaves it as it is if it is there with this configuration.
    func createConsumer(_ durable: String, _ configuration: ConsumerConfiguration) -> Observable<ConsumerInfo> {
        let request = ConsumerRequest(stream: name, durable: durable, isOrdered: false, configuration: configuration)
        return checked { [api] name in
            try Subject.checkName(durable)
            let creation = api.call("CONSUMER.DURABLE.CREATE.\(name).\(durable)", as: ConsumerInfo.self) { request }
            guard configuration.filters.count > 1 else { return creation }
            return api.bus.requiringVersion(2, 10, for: "it knows one filter of a consumer").andThen(creation)
        }
        .asObservable()
    }

    /// Creates a consumer that the server removes when it is no longer used.
    func createOrderedConsumer(_ configuration: ConsumerConfiguration) -> Observable<ConsumerInfo> {
        let request = ConsumerRequest(stream: name, durable: nil, isOrdered: true, configuration: configuration)
        return checked { [api] in api.call("CONSUMER.CREATE.\($0)", as: ConsumerInfo.self) { request } }.asObservable()
    }

    private func checked<Element>(_ call: @escaping @Sendable (_ name: String) throws -> Observable<Element>) -> Single<Element> {
        Observable.deferred { [name] in
            try Subject.checkName(name)
            return try call(name)
        }
        .asSingle()
    }
}

extension NATSConnection {
    /// A stream that the servers store; see ``NATSStream``.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - domain: the domain of the servers that store it, if the connection is to others: from a leaf node, for instance, to its hub.
    public func stream(_ name: String, domain: String? = nil) -> NATSStream {
        NATSStream(name: name, domain: domain, bus: self)
    }

    /// The streams that the servers store.
    ///
    /// - Parameters:
    ///   - subject: only those that store it; with wildcards, those that store any of the subjects.
    ///   - domain: the domain of the servers.
    public func streams(_ subject: String? = nil, domain: String? = nil) -> Observable<StreamInfo> {
        .deferred {
            if let subject { try Subject.check(subject, for: .subscribing) }
            return JetStreamAPI(bus: self, domain: domain).list("STREAM.LIST", subject, as: StreamPage.self)
        }
    }

    /// Completes when it is connected to a server of a version or a later one, and fails if that is older.
    fileprivate func requiringVersion(_ major: Int, _ minor: Int, for reason: String) -> Completable {
        flush().andThen(
            .deferred { [self] in
                let version = serverInfo?.version ?? ""
                let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
                guard numbers.count == 2, (numbers[0], numbers[1]) < (major, minor) else { return .empty() }
                return .error(NATSError.unsupported(server: "NATS \(version)", reason: reason))
            })
    }
}

private struct PurgeRequest: Encodable {
    let filter: String?
    let seq: Int?
    let keep: Int?
}

private struct PurgeAnswer: Decodable, Sendable {
    let purged: Int
}

private struct ConsumerPage: APIPage {
    let consumers: [ConsumerInfo]?
    let total: Int

    var elements: [ConsumerInfo] { consumers ?? [] }
}

private struct StreamPage: APIPage {
    let streams: [StreamInfo]?
    let total: Int

    var elements: [StreamInfo] { streams ?? [] }
}
