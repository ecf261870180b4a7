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
    /// Emits the elements of the source, after each was published, and its terminal event. That is not published: no publisher ends the streams of
    /// other processes, because anybody may publish to a subject, and another source may follow. An end that they are to know of is an element.
    /// With a replay the latest elements are stored by JetStream, in memory, in a stream of the subject's name, which is created again when the
    /// connection was lost; without, nothing is stored.
    ///
    /// - Parameters:
    ///   - bus: the connection.
    ///   - subject: where the elements go.
    ///   - replay: how many elements a late subscriber receives first.
    public func share(over bus: NATSConnection, _ subject: String, replay: Int = 0) -> Observable<Element> {
        let source = asObservable()
        let publishing = Observable<Element>.deferred {
            let encoding = SerialState(bus.coding.makeEncoder(for: Element.self))
            return source.do(onNext: { try bus.publish(try encoding.value($0, subject), to: subject) })
        }
        guard replay > 0 else { return publishing }
        let creation = bus.stream(NATSStream.sharedName(of: subject)).create { configuration in
            configuration.subjects = [subject]
            configuration.storage = .memory
            configuration.maximumMessages = replay
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
    /// It does not end with the source, and continues with the next one that shares to the subject; it fails only if its own subscription does.
    /// A message that is no element is skipped, and ``events`` reports it.
    ///
    /// - Parameters:
    ///   - subject: where the elements are.
    ///   - type: what they are decoded as.
    ///   - replay: how many of the latest elements are emitted first, if the other process stores them.
    public func shared<Element: Decodable & Sendable>(_ subject: String, as type: Element.Type, replay: Int = 0) -> Observable<Element> {
        guard replay > 0 else { return messages(subject, as: type).map(\.body) }
        let stream = stream(NATSStream.sharedName(of: subject))
        return stream.info().asObservable().flatMap { info -> Observable<Element> in
            let start = max(info.state.firstSequence, info.state.lastSequence &- replay &+ 1)
            return stream.replay(from: .sequence(max(start, 1)), filter: subject, as: type).map(\.body)
        }
    }
}

extension NATSStream {
    /// The name of the stream that stores the elements of a shared subject: it has no dots.
    fileprivate static func sharedName(of subject: String) -> String {
        "SHARED_" + subject.replacing(".", with: "_")
    }
}
