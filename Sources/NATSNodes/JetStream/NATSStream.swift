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
/// A message that a server has acknowledged is not lost. It is delivered at least once, and replayed in order; with ids it is stored once.
/// A stream is a value: making one asks nothing of a server.
///
/// Source: [NATS, JetStream](https://docs.nats.io/nats-concepts/jetstream).
public struct NATSStream: Sendable {
    /// The name of the stream.
    public let name: String
    /// The domain of the servers that store it; `nil` means those that the connection leads to.
    public let domain: String?
    let bus: NATSConnection
    var api: JetStreamAPI { JetStreamAPI(bus: bus, domain: domain) }

    /// Creates the stream, or gives it this configuration if it exists already. By default it stores one subject, which has the stream's
    /// name.
    public func create(_ change: @escaping @Sendable (inout Configuration) -> Void = { _ in }) -> Single<Info> {
        var configuration = Configuration(name: name)
        change(&configuration)
        configuration.name = name
        let (api, wanted) = (api, configuration)
        return checked { name in
            api.call("STREAM.CREATE.\(name)", as: Info.self) { wanted }.catch { error in
                // The stream exists with another configuration.
                guard case NATSError.jetStream(let failure) = error, failure.code == 10_058 else { throw error }
                return api.call("STREAM.UPDATE.\(name)", as: Info.self) { wanted }
            }
        }
    }

    /// Emits the configuration of the stream and the state of its storage.
    public func info() -> Single<Info> {
        checked { [api] in api.call("STREAM.INFO.\($0)", as: Info.self) }
    }

    /// Deletes the stream and everything in it.
    public func delete() -> Completable {
        checked { [api] in api.call("STREAM.DELETE.\($0)", as: APISuccess.self) }.asCompletable()
    }

    /// Deletes messages, and emits how many: all messages, or those of a subject, which may have wildcards. Of these it deletes all, or
    /// those before a message that stays, or all but the newest.
    ///
    /// Fails with ``NATSError/jetStream(_:)`` if you give both the first message that stays and how many stay.
    ///
    /// - Parameters:
    ///   - subject: the subject of the messages.
    ///   - sequence: the number of the first message that stays.
    ///   - count: how many of the newest messages stay.
    public func purge(_ subject: String? = nil, before sequence: Int? = nil, keeping count: Int? = nil) -> Single<Int> {
        checked { [api] name in
            // A server treats the number 1 as none, and would delete everything.
            if let sequence, sequence <= 1 { return .just(0) }
            let request = PurgeRequest(filter: subject, seq: sequence, keep: count.map { max($0, 0) })
            return api.call("STREAM.PURGE.\(name)", as: PurgeAnswer.self) { request }.map(\.purged)
        }
    }

    /// Deletes one message.
    public func deleteMessage(_ sequence: Int) -> Completable {
        checked { [api] in api.call("STREAM.MSG.DELETE.\($0)", as: APISuccess.self) { ["seq": sequence] } }.asCompletable()
    }

    /// Deletes a consumer, and its position.
    public func deleteConsumer(_ consumer: String) -> Completable {
        checked { [api] name in
            try Subject.checkName(consumer)
            return api.call("CONSUMER.DELETE.\(name).\(consumer)", as: APISuccess.self)
        }
        .asCompletable()
    }

    /// Emits the consumers of the stream.
    public func consumers() -> Observable<ConsumerInfo> {
        .deferred {
            try Subject.checkName(name)
            return api.list("CONSUMER.LIST.\(name)", as: ConsumerPage.self)
        }
    }

    /// Emits the current state of a consumer; fails with a ``NATSError/JetStreamFailure`` of status 404 if no consumer has that name.
    public func consumerInfo(_ consumer: String) -> Single<ConsumerInfo> {
        checked { [api] name in
            try Subject.checkName(consumer)
            return api.call("CONSUMER.INFO.\(name).\(consumer)", as: ConsumerInfo.self)
        }
    }

    /// Emits the message with a number; fails with a ``NATSError/JetStreamFailure`` of status 404 if it is not stored.
    public func message(_ sequence: Int) -> Single<StoredMessage<Data>> {
        stored { ["seq": sequence] }
    }

    /// Emits the newest message of a subject; fails with a ``NATSError/JetStreamFailure`` of status 404 if none is stored.
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

    /// Creates a durable consumer, or leaves it as it is if it already has this configuration.
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

    /// Creates a consumer that the server removes when nobody uses it any more.
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
    /// Returns a stream that the servers store; see ``NATSStream``.
    ///
    /// - Parameters:
    ///   - name: the name of the stream.
    ///   - domain: the domain of the servers that store it, if the connection leads to others: for instance, from a leaf node to its hub.
    public func stream(_ name: String, domain: String? = nil) -> NATSStream {
        NATSStream(name: name, domain: domain, bus: self)
    }

    /// Emits the streams that the servers store.
    ///
    /// - Parameters:
    ///   - subject: restricts the list to streams that store this subject, or, with wildcards, any of the subjects.
    ///   - domain: the domain of the servers.
    public func streams(_ subject: String? = nil, domain: String? = nil) -> Observable<NATSStream.Info> {
        .deferred {
            if let subject { try Subject.check(subject, for: .subscribing) }
            return JetStreamAPI(bus: self, domain: domain).list("STREAM.LIST", subject, as: StreamPage.self)
        }
    }

    /// Completes when a server of this version or a later one is connected; fails if the server is older.
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
    let consumers: [NATSStream.ConsumerInfo]?
    let total: Int

    var elements: [NATSStream.ConsumerInfo] { consumers ?? [] }
}

private struct StreamPage: APIPage {
    let streams: [NATSStream.Info]?
    let total: Int

    var elements: [NATSStream.Info] { streams ?? [] }
}
