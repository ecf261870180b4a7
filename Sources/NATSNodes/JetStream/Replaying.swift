public import Foundation
public import SocketNodes

/// Reading in order, without acknowledgements.
extension NATSStream {
    /// Emits the messages of the stream in order and without a gap, from a position on, and then each message that follows.
    ///
    /// A replay needs no name, and acknowledges nothing: each subscriber reads independently. When a connection or a server is lost, it
    /// continues after the last emitted message; ``NATSConnection/Event/waiting(_:)`` tells why it cannot continue yet. It fails with a
    /// ``NATSError/JetStreamFailure`` of status 404 if the stream was deleted, or was only in the memory of a server that has ended, even
    /// if there is a new stream of the same name. Messages are requested as they are consumed, and not while the replay is suspended.
    ///
    /// - Parameters:
    ///   - start: the position at which it begins.
    ///   - filter: the subjects that are read; `nil` means all of the stream.
    ///   - completesAtEnd: whether it completes after the last stored message. In a cluster the stream's leader is asked for that message
    ///     (`$JS.API.STREAM.MSG.GET`): the server that delivers may lack the latest acknowledged messages, and the replay waits for them.
    public func replay(
        from start: StartPosition = .first, filter: String? = nil, completesAtEnd: Bool = false
    ) -> Observable<StoredMessage<Data>> {
        ordered(from: start, filter: filter, completesAtEnd: completesAtEnd).map { $0.stored($0.message.body) }
    }

    /// Emits decoded messages: `Data` and `String` as they are, other types from JSON. A message that cannot be decoded is skipped, and
    /// ``NATSConnection/events`` reports it. Otherwise like ``replay(from:filter:completesAtEnd:)``.
    public func replay<Body: Decodable & Sendable>(
        from start: StartPosition = .first, filter: String? = nil, completesAtEnd: Bool = false, as type: Body.Type
    ) -> Observable<StoredMessage<Body>> {
        let messages = ordered(from: start, filter: filter, completesAtEnd: completesAtEnd)
        return .deferred { [bus] in
            let decoding = SerialState(bus.coding.makeDecoder(for: type))
            return messages.compactMap { pulled in
                bus.core.unlessSkipped { () throws(NATSError) in
                    pulled.stored(try decoding.value(pulled.message.body, pulled.message.subject))
                }
            }
        }
    }

    private func ordered(from start: StartPosition, filter: String?, completesAtEnd: Bool) -> Observable<PullSession.Pulled> {
        .deferred {
            let last = SerialState<DeliveryMetadata?>(nil)
            return reading(filter, completesAtEnd: completesAtEnd, last) {
                guard let last = last.value else { return .just(start) }
                return info().asObservable().map { info in
                    guard !info.isNewer(than: last) else { throw NATSError.jetStream(.replacedStream(name)) }
                    return .sequence(last.sequence + 1)
                }
            }
        }
    }

    /// Emits messages, and continues as long as a later attempt may succeed; ``NATSConnection/events`` reports why it waits.
    ///
    /// - Parameters:
    ///   - last: the metadata of the last emitted message, before the one that is being emitted.
    ///   - waitsForStream: whether it waits while there is no such stream.
    ///   - begin: returns the position at which an attempt begins; called before each attempt.
    func reading(
        _ filter: String?, completesAtEnd: Bool = false, waitsForStream: Bool = false, _ last: SerialState<DeliveryMetadata?>,
        from begin: @escaping @Sendable () -> Observable<StartPosition>
    ) -> Observable<PullSession.Pulled> {
        let policy = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: .max)
        let scheduler = bus.configuration.scheduler
        let waiting = SerialState<(failures: Int, reason: NATSError?)>((0, nil))
        return Observable.deferred(begin).flatMap { start in orderedAttempt(from: start, filter, completesAtEnd, last) }
            .do(onNext: { _ in waiting.value = (0, nil) }, afterNext: { last.value = $0.metadata })
            .retry(when: { errors in
                errors.concatMap { error -> Observable<Int> in
                    waiting.value.failures += 1
                    guard error.isTransientInJetStream || waitsForStream && error.isMissingStream,
                        let delay = policy.delay(after: error, failures: waiting.value.failures)
                    else { throw error }
                    if let reason = error as? NATSError, !reason.isToldByConnection, reason != waiting.value.reason {
                        waiting.value.reason = reason
                        bus.core.report(.waiting(reason))
                    }
                    return .timer(delay, scheduler: scheduler)
                }
            })
    }

    /// Emits the messages of one consumer, as long as none is missing.
    private func orderedAttempt(
        from start: StartPosition, _ filter: String?, _ completesAtEnd: Bool, _ last: SerialState<DeliveryMetadata?>
    ) -> Observable<PullSession.Pulled> {
        var configuration = ConsumerConfiguration()
        (configuration.start, configuration.filter, configuration.inactivityLimit) = (start, filter, .seconds(300))
        let (stream, final) = (self, configuration)
        return createOrderedConsumer(final).flatMap { consumer -> Observable<PullSession.Pulled> in
            let messages = stream.messages(of: consumer, final)
            guard completesAtEnd else { return messages }
            let stored = consumer.pending == 0 ? .empty() : messages.take(while: { $0.metadata.pending > 0 }, behavior: .inclusive)
            guard consumer.isInCluster else { return stored }
            return .concat(
                stored,
                .deferred { stream.checkedEnd(at: last.value.map { .sequence($0.sequence + 1) } ?? start, filter) })
        }
        .filter { pulled in
            // The consumer of a replica that lacks the newest messages begins after the messages that it has, which may be before the
            // position.
            if case .sequence(let first) = start { pulled.metadata.sequence >= first } else { true }
        }
    }

    private func messages(of consumer: ConsumerInfo, _ configuration: ConsumerConfiguration) -> Observable<PullSession.Pulled> {
        let expected = SerialState(1)
        let last = SerialState(0)
        return PullSession.stream(self, consumer: consumer.name, configuration, .fail)
            .do(
                onNext: { pulled in
                    guard pulled.metadata.consumerSequence == expected.value else { throw ConsumerLost() }
                    expected.value += 1
                    guard pulled.metadata.sequence > last.value else {
                        throw NATSError.protocolViolation(.unexpected("message \(pulled.metadata.sequence) behind \(last.value)"))
                    }
                    last.value = pulled.metadata.sequence
                    // A message counts as consumed when downstream returns from it.
                }, afterNext: { $0.finish() })
    }

    /// Completes if the stream has no message at or after a position, and fails with ``ConsumerLost`` if it has.
    ///
    /// A consumer counts the messages of its own server, which may lack the latest acknowledged ones. The leader of the stream, which
    /// answers this request, has all of them.
    ///
    /// Source: [issue 4189 of NATS Server](https://github.com/nats-io/nats-server/issues/4189).
    private func checkedEnd(at position: StartPosition, _ filter: String?) -> Observable<PullSession.Pulled> {
        lastMessage(filter ?? ">").asObservable().flatMap { last -> Observable<PullSession.Pulled> in
            position.includes(last) ? .error(ConsumerLost()) : .empty()
        }
        .catch { error in
            guard case NATSError.jetStream(let failure) = error, failure.code == NATSError.JetStreamFailure.noMessage else { throw error }
            return .empty()
        }
    }
}

extension NATSError {
    /// Whether the connection reports the error with an event of its own.
    fileprivate var isToldByConnection: Bool {
        switch self {
        case .cannotConnect, .connectionLost: true
        default: false
        }
    }
}

extension NATSStream.StartPosition {
    /// Whether a consumer that begins here delivers a message of the stream.
    fileprivate func includes<Body>(_ message: NATSStream.StoredMessage<Body>) -> Bool {
        switch self {
        case .first, .last, .lastOfEachSubject: true
        case .new: false
        case .sequence(let first): message.sequence >= first
        // The server receives the time in milliseconds.
        case .time(let time): message.time > time + 0.001
        }
    }
}

extension Error {
    /// Whether the servers may be able to carry out the same request a little later.
    var isTransientInJetStream: Bool {
        self is ConsumerLost || (self as? NATSError)?.isTransient ?? false
    }

    /// Whether the error says that there is no such stream.
    fileprivate var isMissingStream: Bool {
        if case NATSError.jetStream(let error) = self as any Error { error.code == NATSError.JetStreamFailure.noStream } else { false }
    }
}
