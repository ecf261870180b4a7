import Foundation
public import NetNodes

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
    /// Emits the elements of the source, after each was published. Terminal events are published too. With a replay the latest elements are
    /// stored by JetStream, in memory, in a stream of the subject's name, which is created again when the connection was lost; without, nothing
    /// is stored.
    ///
    /// - Parameters:
    ///   - bus: the connection.
    ///   - subject: where the elements go.
    ///   - replay: how many elements a late subscriber receives first.
    public func share(over bus: NATSConnection, _ subject: String, replay: Int = 0) -> Observable<Element> {
        let source = asObservable()
        let publishing = Observable<Element>.deferred {
            let encoding = SerialState(bus.coding.makeEncoder(for: Element.self))
            let publish: @Sendable (Data, NATSHeaders) throws -> Void = { try bus.publish($0, to: subject, headers: $1) }
            return source.do(
                onNext: { try publish(try encoding.value($0, subject), NATSHeaders()) },
                onError: { try? publish(Data(redactedText(of: $0).utf8), [SharedHeader.event: "error"]) },
                onCompleted: { try publish(Data(), [SharedHeader.event: "completed"]) })
        }
        guard replay > 0 else { return publishing }
        let creation = bus.stream(SharedHeader.streamName(of: subject)).create { configuration in
            configuration.subjects = [subject]
            configuration.storage = .memory
            // The terminal event takes the room of an element.
            configuration.maximumMessages = replay + 1
            configuration.maximumAge = .zero
        }
        .asObservable()
        // A server that was started again has lost what it had in memory, and the stream with it.
        let creations = bus.events.filter { if case .reconnected = $0 { true } else { false } }
            .flatMapLatest { _ in creation.ignoreElements().catchAndComplete() }
        return creation.flatMap { _ in
            Observable.using({ CompositeDisposable([creations.subscribe()]) }, observableFactory: { _ in publishing })
        }
    }
}

extension NATSConnection {
    /// Subscribes to what another process shares; see `share(over:_:replay:)` of streams.
    ///
    /// Completes and fails with the shared stream, whose error arrives as ``NATSError/service(subject:code:reason:)``.
    ///
    /// - Parameters:
    ///   - subject: where the elements are.
    ///   - type: what they are decoded as.
    ///   - replay: how many of the latest elements are emitted first, if the other process stores them.
    public func shared<Element: Decodable & Sendable>(_ subject: String, as type: Element.Type, replay: Int = 0) -> Observable<Element> {
        let messages: Observable<Message<Data>>
        if replay > 0 {
            let stream = stream(SharedHeader.streamName(of: subject))
            messages = stream.info().asObservable().flatMap { info -> Observable<Message<Data>> in
                let start = max(info.state.firstSequence, info.state.lastSequence &- replay &+ 1)
                return stream.replay(from: .sequence(max(start, 1)), filter: subject).map(\.message)
            }
        } else {
            messages = self.messages(subject)
        }
        let events = messages.map { [coding] message -> Event<Element> in
            switch message.headers[SharedHeader.event] {
            case "completed": .completed
            case "error": .error(NATSError.service(subject: subject, code: 500, reason: message.text.printableBeginning))
            default: .next(try coding.decode(type, from: message.body, of: subject))
            }
        }
        return events.dematerialize()
    }
}

/// What tells terminal events from elements.
enum SharedHeader {
    static let event = "Streams-Event"

    /// The name of a stream has no dots.
    static func streamName(of subject: String) -> String {
        "SHARED_" + subject.replacing(".", with: "_")
    }
}
