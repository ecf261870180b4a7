import Foundation
public import SocketNodes

extension NATSStream {
    /// A server's confirmation that a message is stored.
    public struct Acknowledgement: Sendable, Equatable, Decodable {
        /// The stream that stores the message.
        public let stream: String
        /// The number of the message in that stream.
        public let sequence: Int
        /// Whether the message is a duplicate: one with its id was stored already.
        public let isDuplicate: Bool

        private enum CodingKeys: String, CodingKey {
            case stream
            case sequence = "seq"
            case isDuplicate = "duplicate"
        }

        /// Creates an acknowledgement, for stubs in tests.
        public init(stream: String, sequence: Int, isDuplicate: Bool = false) {
            self.stream = stream
            self.sequence = sequence
            self.isDuplicate = isDuplicate
        }

        /// Checks that the expected stream has stored the message: another one may have done so, because the subject is one of its own.
        func check(of expected: String) throws(NATSError) {
            guard stream == expected else {
                throw .jetStream(
                    NATSError.JetStreamFailure(
                        status: 400, code: 10_060, reason: "\(stream.printableBeginning) has stored it, not \(expected)"))
            }
            guard sequence > 0 else { throw .undecodable(subject: expected, reason: "the number of the stored message is \(sequence)") }
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            stream = try values.decode(String.self, forKey: .stream)
            sequence = try values.decode(Int.self, forKey: .sequence)
            isDuplicate = try values.decodeIfPresent(Bool.self, forKey: .isDuplicate) ?? false
        }
    }

    /// The way in which `store(in:)` sends.
    public struct StoreConfiguration: Sendable {
        /// The maximum number of messages that are sent and not acknowledged; values below 1 are treated as 1.
        public var maximumInFlight = 256
        /// The number of elements that may wait to be sent, and the treatment of further ones. By default the source is suspended until
        /// they are sent. Elements that have been sent are never dropped, even if they have to be sent again. With `.fail`, an element that
        /// does not fit is an error of upstream: `StreamError.overflow(capacity:)`.
        public var overflow = BufferingPolicy.standard
        /// The time that an acknowledgement may take.
        public var acknowledgementTimeout = Duration.seconds(5)
        /// The delays before unacknowledged messages are sent again; each acknowledgement restarts the count of failures.
        public var retry = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: 30)
        /// Whether this is the only publisher of the stream. If it is, the server is told the predecessor of each message, and stores none
        /// out of order, even when some are lost on the way. Without this, order is certain only as long as nothing fails, or with one
        /// message in flight.
        public var isOnlyPublisher = false

        /// Creates the default configuration.
        public init() {}
    }
}

extension ObservableType where Element: Encodable {
    /// Stores each element in a stream, and emits the acknowledgements in the order of the elements.
    ///
    /// ```swift
    /// orders.store(in: bus.stream("ORDERS"), id: \.number)
    /// ```
    ///
    /// An element that is not acknowledged is sent again. By its id the server recognizes it, so it is stored once, if that happens within
    /// ``NATSStream/Configuration/duplicateWindow``. Completes when everything is acknowledged. Fails in these cases:
    ///
    /// - Sending again cannot help.
    /// - Another stream has stored an element: ``NATSError/jetStream(_:)`` with the code 10060.
    /// - ``NATSStream/StoreConfiguration/retry`` allows no further attempt.
    /// - Upstream fails: at once, even if elements wait.
    ///
    /// - Parameters:
    ///   - stream: the stream that stores the elements.
    ///   - subject: one of the stream's subjects; by default the one with the stream's name.
    ///   - id: identifies an element in the stream, even if a restarted program sends it again. Without ids such elements are stored again.
    ///   - change: sets how they are stored.
    public func store<ID: CustomStringConvertible & SendableMetatype>(
        in stream: NATSStream, subject: (@Sendable (Element) -> String)? = nil, id: @escaping @Sendable (Element) -> ID,
        _ change: @Sendable (inout NATSStream.StoreConfiguration) -> Void = { _ in }
    ) -> Observable<NATSStream.Acknowledgement> {
        var configuration = NATSStream.StoreConfiguration()
        change(&configuration)
        let (elements, final, name) = (asObservable(), configuration, stream.name)
        let prepared = Observable<StoreSession.Prepared>.deferred {
            let encoding = SerialState(stream.bus.coding.makeEncoder(for: Element.self))
            return elements.map { element in
                let subject = subject?(element) ?? name
                try Subject.check(subject, for: .publishing)
                return .init(subject: subject, id: "\(id(element))", payload: try encoding.value(element, subject))
            }
        }
        return Observable { downstream, lifetime in
            let downstream = downstream
            let upstream = lifetime.child()
            // Acknowledgements of messages on their way arrive also while downstream is suspended, and are kept.
            Observable<NATSStream.Acknowledgement>.create(overflow: .suspend(capacity: final.maximumInFlight)) { observer in
                StoreSession(stream, final, observer, in: upstream).start(prepared)
            }
            .subscribe(in: upstream) { downstream.on($0) }
        }
    }

    /// Stores each element in a stream with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, _ change: @Sendable (inout NATSStream.StoreConfiguration) -> Void = { _ in }
    ) -> Observable<NATSStream.Acknowledgement> {
        store(in: stream, subject: nil, id: { _ in randomIdentifier() }, change)
    }

    /// Stores each element under one of the stream's subjects with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, subject: @escaping @Sendable (Element) -> String,
        _ change: @Sendable (inout NATSStream.StoreConfiguration) -> Void = { _ in }
    ) -> Observable<NATSStream.Acknowledgement> {
        store(in: stream, subject: subject, id: { _ in randomIdentifier() }, change)
    }
}
