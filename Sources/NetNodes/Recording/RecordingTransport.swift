import Foundation
public import Streams

/// Carries requests through another transport and notes what was sent and what came back.
///
/// ```swift
/// let transport = RecordingTransport(CurlTransport())
/// // use it in a chain
/// try transport.recording.write(to: file)
/// ```
///
/// Secrets are taken out of what it hands over. All exchanges stay in memory: it is made for tests and for finding mistakes.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let maximumBodySize: Int
    private let isAllowed: @Sendable (inout Recording.Exchange) -> Bool
    private let exchanges = Lock([Recording.Exchange]())

    /// - Parameters:
    ///   - transport: carries the requests.
    ///   - maximumBodySize: bytes of one response's body that are noted; of a longer one, such as a stream of events that does not end, the
    ///     beginning is noted as one of which nobody wanted the rest.
    ///   - isAllowed: may change an exchange when it is handed over, after the secrets with telling names were taken out, and leave it out.
    public init(
        _ transport: any Transport, maximumBodySize: Int = 64 * 1024 * 1024,
        isAllowed: @escaping @Sendable (inout Recording.Exchange) -> Bool = { _ in true }
    ) {
        self.transport = transport
        self.maximumBodySize = maximumBodySize
        self.isAllowed = isAllowed
    }

    /// What was recorded so far, without secrets: what has a secret name (``SecretNames``) in headers, queries, JSON, forms, multipart and
    /// events has `***` for a value, which is also put wherever else that value occurs. Of a body that is no text only the length is left,
    /// unless it is a picture, a sound, a film, a font, a PDF or plain bytes.
    ///
    /// Complexity: linear in the bytes that were recorded.
    public var recording: Recording {
        let exchanges = exchanges.withLock { $0 }
        let redactor = Redactor(exchanges)
        return Recording(
            exchanges.compactMap { exchange in
                var clean = redactor.redacted(exchange)
                return isAllowed(&clean) ? clean : nil
            })
    }

    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        .using { [self] in
            ExchangeNote(request, maximumBodySize) { [self] exchange in exchanges.withLock { $0.append(exchange) } }
        } observableFactory: { [transport] note in
            transport.transfer(request).do(onNext: { note.add($0) }, onError: { note.end($0) })
        }
    }
}

/// One exchange as far as it has come.
private final class ExchangeNote: Disposable {
    private let state: Lock<(exchange: Recording.Exchange, body: Data, isOver: Bool)>
    private let maximumBodySize: Int
    private let keep: @Sendable (Recording.Exchange) -> Void

    init(_ request: HTTPRequest, _ maximumBodySize: Int, _ keep: @escaping @Sendable (Recording.Exchange) -> Void) {
        self.maximumBodySize = maximumBodySize
        self.keep = keep
        state = Lock((Recording.Exchange(request), Data(), false))
    }

    func add(_ event: TransferEvent) {
        switch event {
        case .sent, .progress: break
        case .head(let head): state.withLock { $0.exchange.head = head }
        case .chunk(let data):
            let isTooLong = state.withLock { state in
                guard !state.isOver else { return false }
                state.body += data.prefix(maximumBodySize - state.body.count)
                return state.body.count == maximumBodySize
            }
            if isTooLong { finish(.open) }
        case .end: finish(.complete)
        }
    }

    func end(_ error: any Error) {
        finish((error as? TransportError)?.recorded ?? .failed(kind: "other", reason: "\(type(of: error))"))
    }

    func dispose() {
        finish(.open)
    }

    private func finish(_ ending: Recording.Ending) {
        let exchange = state.withLock { state -> Recording.Exchange? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.exchange.body = Recording.Body(state.body)
            state.exchange.ending = ending
            state.body = Data()
            return state.exchange
        }
        exchange.map(keep)
    }
}
