import Foundation
public import SocketNodes
import Synchronization

extension NATSStream {
    /// A message of a stream that its consumer has to acknowledge; otherwise it is delivered again.
    ///
    /// The first call of ``acknowledge()``, ``refuse(after:)`` or ``terminate()`` counts; each makes room for another delivery. A delivery
    /// that is released without any of these calls makes room too, and its message is delivered again after
    /// ``NATSStream/ConsumerConfiguration/acknowledgementWait``. Thread-safe.
    public final class Delivery<Body: Sendable>: Sendable {
        /// The message, and the place where it is stored.
        public let stored: StoredMessage<Body>
        /// The number of times that the message has been delivered, including this time.
        public let deliveries: Int
        /// The number of messages that the consumer has not delivered yet.
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

        /// The payload of the message, or the value that was decoded from it.
        public var body: Body { stored.body }

        /// The subject of the message.
        public var subject: String { stored.subject }

        /// The headers of the message.
        public var headers: NATSHeaders { stored.message.headers }

        /// The size of the published body in bytes, also if ``NATSStream/ConsumerConfiguration/headersOnly`` has omitted it. `nil` if it is
        /// not known, because the body was decoded.
        public var bodySize: Int? {
            headers["Nats-Msg-Size"].flatMap { Int($0) } ?? (body as? Data)?.count
        }

        /// The number of the message in the stream.
        public var sequence: Int { stored.sequence }

        /// Tells the server that the message has been processed. If the acknowledgement is lost with its connection, the message is
        /// delivered again.
        public func acknowledge() {
            end(with: "+ACK")
        }

        /// Acknowledges the message, and completes when the server has confirmed that.
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

        /// Tells the server that the message will never be processed: it is not delivered again.
        public func terminate() {
            end(with: "+TERM")
        }

        /// Tells the server that the message is still being processed: the time for an acknowledgement starts again.
        public func extend() {
            if !isFinished.load(ordering: .relaxed) { send("+WPI") }
        }

        private func end(with word: String) {
            guard !isFinished.exchange(true, ordering: .relaxed) else { return }
            send(word)
            finish()
        }

        /// An acknowledgement that cannot be sent counts as lost: the message is delivered again.
        private func send(_ word: String) {
            try? bus.core.publish(reply, payload: Data(word.utf8))
        }
    }
}
