public import Foundation
public import Streams
public import WebSocketFrames

extension WebSocketConnection {
    /// Emits the messages as values, decoded from JSON in texts or bytes. Fails with a ``JSON/ModelFailure`` or a `JSON.SyntaxError` at the
    /// first message that cannot be decoded.
    public func messages<Model: Decodable & Sendable>(
        as type: Model.Type, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Model> {
        messages.decode(as: type, using: decoder)
    }

    /// Sends a value as a text with its JSON.
    ///
    /// - Throws: ``JSON/ModelFailure`` if it cannot be encoded.
    @discardableResult
    public func send(model: some Encodable) throws -> Bool {
        try send(.text(String(decoding: model.encodedJSON(), as: UTF8.self)))
    }

    /// Sends the values of a stream as texts with their JSON; otherwise like ``sender``. A value that cannot be encoded closes the
    /// connection with the code 1011.
    public func sender<Model: Encodable & Sendable>(of type: Model.Type = Model.self) -> AnyObserver<Model> {
        sender.mapObserver { (model: Model) in .text(String(decoding: try model.encodedJSON(), as: UTF8.self)) }
    }
}

extension ObservableType<WebSocketMessage> {
    /// Emits the values in messages of JSON. Fails with a ``JSON/ModelFailure`` or a `JSON.SyntaxError` at the first message that cannot be
    /// decoded.
    public func decode<Model: Decodable & Sendable>(
        as type: Model.Type, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Model> {
        let messages = asObservable()
        return .deferred {
            let decoder = decoder()
            return messages.map { try $0.data.decodeJSON(type, using: decoder) }
        }
    }
}

extension Encodable {
    fileprivate func encodedJSON() throws -> Data {
        do { return try JSONEncoder().encode(self) } catch let error as EncodingError {
            throw JSON.ModelFailure(error, encoding: Self.self)
        }
    }
}

extension Node where Output == WebSocketConnection {
    /// Connects, sends the messages of one stream, and emits those of the server.
    ///
    /// ```swift
    /// WebSocketNode().messages(request, reconnecting: .exponential(initial: .seconds(1), maxAttempts: 10))
    /// ```
    ///
    /// - Parameters:
    ///   - input: the input, as for the node.
    ///   - outgoing: the stream that is subscribed to for each connection; its completion closes the connection. If the stream is hot,
    ///     messages between two connections are lost.
    ///   - policy: decides when to connect again after an error. Failures, and the limit of time, count from the last connection on; an
    ///     orderly close completes the stream. `nil` means never.
    ///   - scheduler: the scheduler that runs the delays.
    public func messages(
        _ input: Input, sending outgoing: Observable<WebSocketMessage> = .never(), reconnecting policy: RetryPolicy? = nil,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observable<WebSocketMessage> {
        .deferred { [self] in
            let outage = SerialState((failures: 0, start: Duration.zero))
            let session = stream(input).do(onNext: { _ in outage.value.failures = 0 }).flatMap { connection in
                Observable.using {
                    CompositeDisposable([outgoing.subscribe(connection.sender)])
                } observableFactory: { _ in
                    connection.messages
                }
            }
            guard let policy else { return session }
            return session.retry { errors in
                errors.concatMap { error in
                    if outage.value.failures == 0 { outage.value.start = scheduler.now }
                    outage.value.failures += 1
                    let elapsed = scheduler.now - outage.value.start
                    guard let delay = policy.delay(after: error, failures: outage.value.failures, elapsed: elapsed) else { throw error }
                    return Observable<Int>.timer(delay, scheduler: scheduler)
                }
            }
        }
    }
}
