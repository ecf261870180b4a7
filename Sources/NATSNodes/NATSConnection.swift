public import Foundation
public import SocketNodes

/// A connection to servers of NATS: subjects as streams, in any number of processes.
///
/// ```swift
/// let bus = NATSConnection("nats://127.0.0.1:4222")
/// bus.messages("quotes.>", as: Quote.self).subscribe(onNext: { print($0.body) }).disposed(by: bag)
/// try bus.publish(Quote(symbol: "ACME", price: 12), to: "quotes.ACME")
/// ```
///
/// It connects at the first use. If no server accepts, everything pending fails with a typed error, and the next use tries again. A lost
/// connection is replaced, perhaps by another server of the cluster: subscriptions are made again, and pending messages are sent in order.
/// Messages that others publish meanwhile are missed, since core NATS delivers at most once (`Docs/Messaging.md`); ``events`` reports the
/// gap.
///
/// Thread-safe. Messages are delivered on a thread of this connection, one after the other: a slow consumer delays the others, unless it is
/// behind `observe(on:overflow:)`. Releasing the last reference closes the connection, once no stream uses it.
public final class NATSConnection: Sendable {
    /// The settings of the connection.
    public let configuration: Configuration
    let core: ConnectionCore
    let coding: BodyCoding

    /// - Parameters:
    ///   - servers: addresses such as `nats://user:password@host:4222`, `tls://host`, `host`, separated by commas. If one is not valid, the
    ///     first use fails with ``NATSError/invalidURL(_:reason:)``.
    ///   - configuration: the settings of the connection.
    public init(_ servers: String, configuration: Configuration = Configuration()) {
        self.configuration = configuration
        core = ConnectionCore(servers, configuration)
        coding = BodyCoding(configuration: configuration)
    }

    deinit {
        core.close()
    }

    /// The events of the connection, from now on. A subscription to this stream does not start the connection.
    public var events: Observable<Event> { core.events.asObservable() }

    /// The information that the server gives about itself; `nil` before the first connection.
    public var serverInfo: ServerInfo? { core.info }

    /// The number of bytes that wait to be sent.
    public var pendingBytes: Int { core.pendingBytes }

    /// Completes when the server has received everything that was published before the subscription.
    ///
    /// Fails with ``NATSError/connectionLost(server:reason:)`` if the connection was lost, so that nobody knows.
    public func flush() -> Completable {
        core.flush()
    }

    /// Unsubscribes, delivers messages on their way, completes the streams, sends pending messages, and closes.
    ///
    /// Answers in progress are sent too: it waits until each `serve` has answered the questions that it has. If there is no connection, or
    /// a lost one is being replaced, it waits for the next one only if messages are pending. Fails with
    /// ``NATSError/connectionLost(server:reason:)`` if the connection is lost meanwhile.
    ///
    /// - Parameter limit: the longest time that draining may take. After it the connection closes, and the stream fails with
    ///   `StreamError.timeout(after:)`.
    public func drain(within limit: Duration = .seconds(30)) -> Completable {
        core.drain(within: limit)
    }

    /// Ends the connection to the server, and makes no other until ``resume()``. Use it for an app in the background, or a network that
    /// must not be used.
    ///
    /// Streams stay. Messages that others publish meanwhile are missed, as while a lost connection is replaced. Your own messages wait, up
    /// to ``NATSConnection/Configuration/maximumPendingBytes``. Requests on their way fail with
    /// ``NATSError/connectionLost(server:reason:)``, and further ones wait up to their timeouts.
    public func suspend() {
        core.suspend()
    }

    /// Connects again after ``suspend()``, if anything uses the connection.
    public func resume() {
        core.resume()
    }

    /// Replaces the connection at once by one to the next known server. Use it after a change of the network, or of the permissions of your
    /// credentials. Nothing happens if there is no connection and none is being made.
    public func reconnect() {
        core.reconnect()
    }

    /// Closes the connection at once: streams fail with ``NATSError/closed``, and pending messages are not sent.
    public func close() {
        core.close()
    }
}

/// Subscribing.
extension NATSConnection {
    /// Emits the messages to a subject, with their payloads.
    ///
    /// The stream is cold: each subscriber has a subscription of its own on the server, which ends with the disposal. The stream fails if
    /// the subject is not valid or not permitted, and when the connection is given up.
    ///
    /// - Parameters:
    ///   - subject: a subject, which may have wildcards: `*` for one part, `>` for all further ones.
    ///   - queue: a group, in any number of processes; each message reaches one subscriber of the group.
    public func messages(_ subject: String, queue: String? = nil) -> Observable<NATSMessage<Data>> {
        received(subject, queue: queue)
    }

    /// Emits the messages to a subject, decoded: `Data` and `String` as they are, other types from JSON.
    ///
    /// A message that cannot be decoded is skipped, and ``events`` reports it: anybody may publish to a subject. To handle such messages in
    /// another way, decode each message with ``decode(_:_:)``. Otherwise like ``messages(_:queue:)``.
    public func messages<Body: Decodable & Sendable>(
        _ subject: String, queue: String? = nil, as type: Body.Type
    ) -> Observable<NATSMessage<Body>> {
        let messages = received(subject, queue: queue)
        return .deferred { [coding, core] in
            let decoding = SerialState(coding.makeDecoder(for: type))
            return messages.compactMap { message in
                core.unlessSkipped { () throws(NATSError) in
                    NATSMessage(
                        subject: message.subject, body: try decoding.value(message.body, message.subject), reply: message.reply,
                        headers: message.headers)
                }
            }
        }
    }

    /// Returns a message with its payload decoded.
    public func decode<Body: Decodable & Sendable>(_ type: Body.Type, _ message: NATSMessage<Data>) throws(NATSError) -> NATSMessage<Body> {
        let body = try coding.decode(type, from: message.body, of: message.subject)
        return NATSMessage(subject: message.subject, body: body, reply: message.reply, headers: message.headers)
    }

    /// Emits the messages of a subscription, and keeps the connection while it is subscribed to.
    func received(_ subject: String, queue: String?) -> Observable<NATSMessage<Data>> {
        let messages = core.received(subject, queue: queue)
        return keepingConnection(messages)
    }

    /// Keeps the connection while a stream is subscribed to.
    func keepingConnection<Element>(_ stream: Observable<Element>) -> Observable<Element> {
        .using({ [self] in ConnectionUse(connection: self) }, observableFactory: { _ in stream })
    }
}

/// Keeps a connection until it is disposed.
private final class ConnectionUse: Disposable {
    private let connection: Lock<NATSConnection?>

    init(connection: NATSConnection) {
        self.connection = Lock(connection)
    }

    func dispose() {
        _ = connection.withLock { $0.take() }
    }
}
