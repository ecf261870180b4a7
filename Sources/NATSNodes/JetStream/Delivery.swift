import Foundation
public import SocketNodes
import Synchronization

/// A message of a stream that a consumer has to acknowledge: otherwise it is delivered again.
///
/// The first of ``acknowledge()``, ``refuse(after:)`` and ``terminate()`` counts; each makes room for another delivery. One that is released
/// without any of them makes room too, and is delivered again after ``ConsumerConfiguration/acknowledgementWait``. Thread-safe.
public final class Delivery<Body: Sendable>: Sendable {
    /// The message, and where it is stored.
    public let stored: StoredMessage<Body>
    /// How often it has been delivered, with this time.
    public let deliveries: Int
    /// The number of messages of the consumer behind it.
    public let pending: Int
    private let reply: String
    private let bus: NATSConnection
    private let finish: @Sendable () -> Void
    private let isFinished = Atomic(false)

    init(
        _ stored: StoredMessage<Body>, _ metadata: DeliveryMetadata, reply: String, _ bus: NATSConnection,
        finish: @escaping @Sendable () -> Void
    ) {
        self.stored = stored
        deliveries = metadata.deliveries
        pending = metadata.pending
        self.reply = reply
        self.bus = bus
        self.finish = finish
    }

    deinit {
        if !isFinished.exchange(true, ordering: .relaxed) { finish() }
    }

    /// Its payload, or what was decoded from it.
    public var body: Body { stored.body }

    /// Its subject.
    public var subject: String { stored.subject }

    /// Its headers.
    public var headers: NATSHeaders { stored.message.headers }

    /// The size of what was published, in bytes: of the body, or of one that ``ConsumerConfiguration/headersOnly`` has left out. `nil` where it is not
    /// known, because the body was decoded.
    public var bodySize: Int? {
        headers["Nats-Msg-Size"].flatMap { Int($0) } ?? (body as? Data)?.count
    }

    /// Its number in the stream.
    public var sequence: Int { stored.sequence }

    /// Tells the server that it has been processed. An acknowledgement that is lost with its connection means another delivery.
    public func acknowledge() {
        end(with: "+ACK")
    }

    /// Acknowledges, and completes when the server has confirmed that.
    public func acknowledgeConfirmed() -> Completable {
        .deferred { [self] in
            guard !isFinished.exchange(true, ordering: .relaxed) else { return .empty() }
            return bus.request(Data("+ACK".utf8), to: reply).asObservable().do(onDispose: { [finish] in finish() }).asCompletable()
        }
    }

    /// Asks for another delivery, at once or after a delay.
    public func refuse(after delay: Duration = .zero) {
        end(with: delay > .zero ? "-NAK {\"delay\": \(delay.wholeNanoseconds)}" : "-NAK")
    }

    /// Tells the server that it will never be processed: it is not delivered again.
    public func terminate() {
        end(with: "+TERM")
    }

    /// Tells the server that it is still being processed: the time for an acknowledgement starts again.
    public func extend() {
        if !isFinished.load(ordering: .relaxed) { send("+WPI") }
    }

    private func end(with word: String) {
        guard !isFinished.exchange(true, ordering: .relaxed) else { return }
        send(word)
        finish()
    }

    /// An acknowledgement that cannot be sent is one that is lost: the message is delivered again.
    private func send(_ word: String) {
        try? bus.core.publish(reply, payload: Data(word.utf8))
    }
}
