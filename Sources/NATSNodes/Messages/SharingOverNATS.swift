import Foundation
public import SocketNodes

extension ObservableType where Element: Codable {
    /// Shares one subscription to this stream with subscribers in other processes: `share(replay:)` over a subject.
    ///
    /// ```swift
    /// // The process that has the source, for as long as it is subscribed to:
    /// quotes.share(over: bus, "quotes", replay: 1).subscribe().disposed(by: bag)
    /// // Any number of others, which receive the last element first:
    /// bus.shared("quotes", as: Quote.self, replay: 1).subscribe(onNext: { print($0.price) }).disposed(by: bag)
    /// ```
    ///
    /// Emits the elements of the source after each was published, and its terminal event. The terminal event is not published: no publisher
    /// ends the streams of other processes, because anybody may publish to a subject, and another source may follow. To announce an end to
    /// other processes, publish an element. With a replay, JetStream stores the latest elements in memory, in a stream named after the
    /// subject. A restarted server has lost them: then the stream is created, and the latest elements are stored, again. Without a replay
    /// nothing is stored.
    ///
    /// - Parameters:
    ///   - bus: the connection.
    ///   - subject: the subject to which the elements are published.
    ///   - replay: how many elements a late subscriber receives first.
    public func share(over bus: NATSConnection, _ subject: String, replay: Int = 0) -> Observable<Element> {
        let source = asObservable()
        guard replay > 0 else { return source.published(over: bus, subject, noting: { _ in }) }
        let creation = bus.stream(NATSStream.sharedName(of: subject)).create { configuration in
            configuration.subjects = [subject]
            configuration.storage = .memory
            configuration.maximumMessages = replay
            configuration.maximumAge = .zero
        }
        .asObservable()
        let policy = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: .max)
            .when { $0.isTransientInJetStream }
        return creation.flatMap { _ in
            Observable.deferred {
                let latest = Lock(LatestPayloads(capacity: replay))
                let again = bus.events.filter { if case .reconnected = $0 { true } else { false } }
                    .flatMapLatest { _ in creation.retry(policy, scheduler: bus.configuration.scheduler) }
                    .filter { $0.state.lastSequence == 0 }
                    .map { _ in try latest.withLock { $0.all }.publish(to: bus, subject) }
                return source.published(over: bus, subject, noting: { payload in latest.withLock { $0.append(payload) } })
                    .take(until: again.ignoreElements())
            }
        }
    }

    /// Publishes each element, and emits it.
    private func published(
        over bus: NATSConnection, _ subject: String, noting note: @escaping @Sendable (Data) -> Void
    ) -> Observable<Element> {
        .deferred {
            let encoding = SerialState(bus.coding.makeEncoder(for: Element.self))
            return self.do(onNext: { element in
                let payload = try encoding.value(element, subject)
                note(payload)
                try bus.publish(payload, to: subject)
            })
        }
    }
}

/// The payloads that a server stores of a shared stream, for a server that has lost them.
private struct LatestPayloads: Sendable {
    let capacity: Int
    private var payloads: [Data] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func append(_ payload: Data) {
        payloads.append(payload)
        // Not for each element: that would move all payloads.
        if payloads.count / 2 > capacity { payloads.removeFirst(payloads.count - capacity) }
    }

    var all: [Data] { payloads.suffix(capacity) }
}

extension [Data] {
    /// Publishes payloads to an empty stream. If something newer was published meanwhile, the server refuses them.
    fileprivate func publish(to bus: NATSConnection, _ subject: String) throws(NATSError) {
        for (index, payload) in enumerated() {
            try bus.publish(payload, to: subject, headers: ["Nats-Expected-Last-Sequence": "\(index)"])
        }
    }
}

extension NATSConnection {
    /// Subscribes to the elements that another process shares; see `share(over:_:replay:)` of streams.
    ///
    /// The stream does not end with the source, and continues with the next source that shares to the subject; it fails only if its own
    /// subscription does. A message that is no element is skipped, and ``events`` reports it.
    ///
    /// With a replay the stream waits until somebody shares to the subject, and ``NATSConnection/Event/waiting(_:)`` reports that. Elements
    /// are missed if they were published while this was disconnected or slower than the source, and the other process no longer stores
    /// them; ``NATSConnection/Event/missed(subject:count:)`` reports them. If the server was restarted and has lost the elements, the
    /// latest are emitted again, as to a late subscriber.
    ///
    /// - Parameters:
    ///   - subject: the subject of the elements.
    ///   - type: the type of the elements.
    ///   - replay: how many of the latest elements are emitted first, if the other process stores them.
    public func shared<Element: Decodable & Sendable>(_ subject: String, as type: Element.Type, replay: Int = 0) -> Observable<Element> {
        guard replay > 0 else { return messages(subject, as: type).map(\.body) }
        let stream = stream(NATSStream.sharedName(of: subject))
        return .deferred { [coding, core] in
            let decoding = SerialState(coding.makeDecoder(for: type))
            let last = SerialState<DeliveryMetadata?>(nil)
            let messages = stream.reading(subject, waitsForStream: true, last) {
                stream.info().asObservable().map { info in
                    if let previous = last.value {
                        guard info.isNewer(than: previous) else { return .sequence(previous.sequence + 1) }
                        last.value = nil
                        core.report(.missed(subject: subject, count: nil))
                    }
                    return .sequence(max(info.state.firstSequence, info.state.lastSequence &- replay &+ 1, 1))
                }
            }
            return messages.compactMap { pulled in
                if let previous = last.value, pulled.metadata.sequence > previous.sequence + 1 {
                    core.report(.missed(subject: subject, count: pulled.metadata.sequence - previous.sequence - 1))
                }
                return core.unlessSkipped { () throws(NATSError) in try decoding.value(pulled.message.body, subject) }
            }
        }
    }
}

extension NATSStream {
    /// Returns the name of the stream that stores the elements of a shared subject. It has no dots, and every subject has another name.
    fileprivate static func sharedName(of subject: String) -> String {
        "SHARED_" + subject.replacing("=", with: "==").replacing("_", with: "=_").replacing(".", with: "_")
    }
}
