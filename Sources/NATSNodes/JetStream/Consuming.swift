public import Foundation
public import NetNodes

/// Consuming with acknowledgements.
extension NATSStream {
    /// Delivers the messages of the stream to a durable consumer, which the server remembers by its name: each until it is acknowledged.
    ///
    /// Subscribers of the same name, in any number of processes, share the messages. At most ``ConsumerConfiguration/maximumInFlight``
    /// deliveries are unfinished at a time, and no more are asked for: a slow consumer slows down nobody, and costs bounded memory.
    ///
    /// - Parameters:
    ///   - consumer: the name of the consumer.
    ///   - change: sets how the consumer delivers; it is created, or changed, at the subscription.
    public func consume(
        _ consumer: String, _ change: @escaping @Sendable (inout ConsumerConfiguration) -> Void = { _ in }
    ) -> Observable<Delivery<Data>> {
        pulled(consumer, change).map { [bus] in Delivery($0, bus) }
    }

    /// Delivers decoded messages: `Data` and `String` as they are, other types from JSON. One that cannot be decoded is terminated, and fails
    /// the stream with ``NATSError/undecodable(subject:reason:)``. Otherwise like ``consume(_:_:)``.
    public func consume<Body: Decodable & Sendable>(
        _ consumer: String, as type: Body.Type, _ change: @escaping @Sendable (inout ConsumerConfiguration) -> Void = { _ in }
    ) -> Observable<Delivery<Body>> {
        let pulled = pulled(consumer, change)
        return .deferred { [bus] in
            let decoding = SerialState(bus.coding.makeDecoder(for: type))
            return pulled.map { pulled in
                do {
                    return Delivery(try pulled.stored(decoding.value(pulled.message.body, pulled.message.subject)), pulled, bus)
                } catch {
                    Delivery(pulled, bus).terminate()
                    throw error
                }
            }
        }
    }

    private func pulled(
        _ consumer: String, _ change: @Sendable (inout ConsumerConfiguration) -> Void
    ) -> Observable<PullSession.Pulled> {
        var configuration = ConsumerConfiguration()
        change(&configuration)
        let (bus, name, final) = (bus, name, configuration)
        return createConsumer(consumer, final).flatMap { _ in
            PullSession.stream(bus, stream: name, consumer: consumer, final, .askAgain)
        }
    }
}

extension Delivery {
    fileprivate convenience init(_ stored: StoredMessage<Body>, _ pulled: PullSession.Pulled, _ bus: NATSConnection) {
        self.init(stored, pulled.metadata, reply: pulled.message.reply ?? "", bus, finish: pulled.finish)
    }
}

extension Delivery where Body == Data {
    fileprivate convenience init(_ pulled: PullSession.Pulled, _ bus: NATSConnection) {
        self.init(pulled.stored(pulled.message.body), pulled, bus)
    }
}

extension PullSession.Pulled {
    func stored<Body>(_ body: Body) -> StoredMessage<Body> {
        StoredMessage(
            Message(subject: message.subject, body: body, headers: message.headers), sequence: metadata.sequence, time: metadata.time)
    }
}

/// Reading in order, without acknowledgements.
extension NATSStream {
    /// Emits the messages of the stream in order and without a gap, from a position on, and then those that follow.
    ///
    /// It needs no name, and nothing is acknowledged: each subscriber reads for itself. When a connection or a server is lost, it goes on
    /// behind the last message that was emitted. Messages are asked for as they are consumed.
    ///
    /// - Parameters:
    ///   - start: where it begins.
    ///   - filter: which subjects are read; `nil` for all of the stream.
    ///   - completesAtEnd: whether it completes behind the last message that is stored.
    public func replay(
        from start: StartPosition = .first, filter: String? = nil, completesAtEnd: Bool = false
    ) -> Observable<StoredMessage<Data>> {
        ordered(from: start, filter: filter, completesAtEnd: completesAtEnd).map { $0.stored($0.message.body) }
    }

    /// Emits decoded messages: `Data` and `String` as they are, other types from JSON. Otherwise like ``replay(from:filter:completesAtEnd:)``.
    public func replay<Body: Decodable & Sendable>(
        from start: StartPosition = .first, filter: String? = nil, completesAtEnd: Bool = false, as type: Body.Type
    ) -> Observable<StoredMessage<Body>> {
        let messages = ordered(from: start, filter: filter, completesAtEnd: completesAtEnd)
        return .deferred { [bus] in
            let decoding = SerialState(bus.coding.makeDecoder(for: type))
            return messages.map { $0.stored(try decoding.value($0.message.body, $0.message.subject)) }
        }
    }

    private func ordered(from start: StartPosition, filter: String?, completesAtEnd: Bool) -> Observable<PullSession.Pulled> {
        let stream = self
        let policy = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: .max)
        let scheduler = bus.configuration.scheduler
        return .deferred {
            let position = SerialState(start)
            let failures = SerialState(0)
            let attempt = Observable.deferred {
                stream.orderedAttempt(from: position.value, filter, completesAtEnd).do(onNext: { pulled in
                    position.value = .sequence(pulled.metadata.sequence + 1)
                    failures.value = 0
                })
            }
            return attempt.retry(when: { errors in
                errors.concatMap { error -> Observable<Int> in
                    failures.value += 1
                    guard error.isTransientInJetStream, let delay = policy.delay(after: error, failures: failures.value) else {
                        throw error
                    }
                    return .timer(delay, scheduler: scheduler)
                }
            })
        }
    }

    /// The messages of one consumer, as long as it lacks none.
    private func orderedAttempt(from start: StartPosition, _ filter: String?, _ completesAtEnd: Bool) -> Observable<PullSession.Pulled> {
        var configuration = ConsumerConfiguration()
        (configuration.start, configuration.filter, configuration.inactivityLimit) = (start, filter, .seconds(300))
        let (bus, name, final) = (bus, name, configuration)
        return createOrderedConsumer(final).flatMap { consumer -> Observable<PullSession.Pulled> in
            if completesAtEnd, consumer.pending == 0 { return .empty() }
            let expected = SerialState(1)
            let last = SerialState(0)
            let pulled = PullSession.stream(bus, stream: name, consumer: consumer.name, final, .fail)
                .do(
                    onNext: { pulled in
                        guard pulled.metadata.consumerSequence == expected.value else { throw ConsumerLost() }
                        expected.value += 1
                        guard pulled.metadata.sequence > last.value else {
                            throw NATSError.protocolViolation(.unexpected("message \(pulled.metadata.sequence) behind \(last.value)"))
                        }
                        last.value = pulled.metadata.sequence
                        // It counts as consumed when the downstream returns from it.
                    }, afterNext: { $0.finish() })
            let wanted = completesAtEnd ? pulled.take(while: { $0.metadata.pending > 0 }, behavior: .inclusive) : pulled
            guard case .sequence(let first) = start else { return wanted }
            // The consumer of a replica that lacks the newest messages begins behind those that it has: before the position.
            return wanted.filter { $0.metadata.sequence >= first }
        }
    }
}

extension Error {
    /// Whether the servers may be able to do the same a little later.
    var isTransientInJetStream: Bool {
        self is ConsumerLost || (self as? NATSError)?.isTransient ?? false
    }
}
