import Foundation
public import SocketNodes

/// A server's confirmation that a message is stored.
public struct PublishAcknowledgement: Sendable, Equatable, Decodable {
    /// In which stream.
    public let stream: String
    /// Its number there.
    public let sequence: Int
    /// Whether a message with its id was stored already, which this is.
    public let isDuplicate: Bool

    private enum CodingKeys: String, CodingKey {
        case stream
        case sequence = "seq"
        case isDuplicate = "duplicate"
    }

    /// Creates an acknowledgement: for stubs in tests.
    public init(stream: String, sequence: Int, isDuplicate: Bool = false) {
        self.stream = stream
        self.sequence = sequence
        self.isDuplicate = isDuplicate
    }

    /// A message that another stream has stored, because the subject is one of its, is not where it should be.
    func check(of expected: String) throws(NATSError) {
        guard stream == expected else {
            throw .jetStream(
                JetStreamError(status: 400, code: 10_060, reason: "\(stream.printableBeginning) has stored it, not \(expected)"))
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

/// How a `store(in:)` sends.
public struct StoreConfiguration: Sendable {
    /// The number of messages that are sent and not acknowledged; below 1 it is treated as 1.
    public var maximumInFlight = 256
    /// How many elements wait to be sent, and what happens to further ones; by default the source is suspended until they are sent. What has
    /// been sent is never dropped, also when it has to be sent again. With `.fail`, one element too many is an error of upstream:
    /// `StreamError.overflow(capacity:)`.
    public var overflow = BufferingPolicy.suspend(capacity: 256)
    /// How long an acknowledgement may take.
    public var acknowledgementTimeout = Duration.seconds(5)
    /// The delays before messages that were not acknowledged are sent again; failures are counted anew with each acknowledgement.
    public var retry = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: 30)
    /// Whether this is the only publisher of the stream: then the server is told which message each follows, and stores none out of order,
    /// also when some are lost on the way. Without this, order is certain only as long as nothing fails, or with one message in flight.
    public var isOnlyPublisher = false

    /// Creates the default configuration.
    public init() {}
}

extension ObservableType where Element: Encodable {
    /// Stores each element in a stream, and emits its acknowledgement, in the order of the elements.
    ///
    /// ```swift
    /// orders.store(in: bus.stream("ORDERS"), id: \.number)
    /// ```
    ///
    /// An element that is not acknowledged is sent again: with its id the server recognizes it, and it is stored once, if that happens within
    /// ``StreamConfiguration/duplicateWindow``. Completes when everything is acknowledged. Fails with an error that sending again does not
    /// mend, with ``NATSError/jetStream(_:)`` and the code 10060 when another stream has stored it, or when ``StoreConfiguration/retry`` allows no
    /// further attempt; and at once at an error of upstream, also with elements that wait.
    ///
    /// - Parameters:
    ///   - stream: where they are stored.
    ///   - subject: one of the stream's; by default the one called like the stream.
    ///   - id: identifies an element in the stream, also when a program that was restarted sends it again. Elements are stored again without.
    ///   - change: sets how they are stored.
    public func store<ID: CustomStringConvertible & SendableMetatype>(
        in stream: NATSStream, subject: (@Sendable (Element) -> String)? = nil, id: @escaping @Sendable (Element) -> ID,
        _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        var configuration = StoreConfiguration()
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
            // Of what is on its way the acknowledgements arrive also while downstream is suspended, and are kept.
            Observable<PublishAcknowledgement>.create(overflow: .suspend(capacity: final.maximumInFlight)) { observer in
                StoreSession(stream, final, observer, in: upstream).start(prepared)
            }
            .subscribe(in: upstream) { downstream.on($0) }
        }
    }

    /// Stores each element in a stream with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        store(in: stream, subject: nil, id: { _ in randomIdentifier() }, change)
    }

    /// Stores each element under one of the stream's subjects with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, subject: @escaping @Sendable (Element) -> String,
        _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        store(in: stream, subject: subject, id: { _ in randomIdentifier() }, change)
    }
}
