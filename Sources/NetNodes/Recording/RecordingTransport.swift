import Foundation
public import Streams

/// Sends requests through another transport and records them with their responses.
///
/// ```swift
/// let transport = RecordingTransport(CurlTransport())
/// // use it in a chain
/// try transport.recording.write(to: file)
/// ```
///
/// Secrets are redacted in the recording. All exchanges stay in memory: it is intended for tests and debugging.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let maximumBodySize: Int
    private let isAllowed: @Sendable (inout Recording.Exchange) -> Bool
    private let exchanges = Lock([Recording.Exchange]())

    /// - Parameters:
    ///   - transport: the transport that sends the requests.
    ///   - maximumBodySize: the maximum number of recorded bytes of a response's body. Of a longer body, such as an endless event stream,
    ///     the beginning is recorded as an incomplete body.
    ///   - isAllowed: can modify an exchange in the recording, after secrets were redacted, or exclude it.
    public init(
        _ transport: any Transport, maximumBodySize: Int = 64 * 1024 * 1024,
        isAllowed: @escaping @Sendable (inout Recording.Exchange) -> Bool = { _ in true }
    ) {
        self.transport = transport
        self.maximumBodySize = maximumBodySize
        self.isAllowed = isAllowed
    }

    /// The recording so far, redacted. In headers, queries, JSON, forms, multipart bodies and events, values with a secret name
    /// (`SecretNames`) are replaced by `***`, and so are further occurrences of those values. If a body is binary, only its length is
    /// recorded, unless it is an image, audio, video, a font, a PDF or plain bytes.
    ///
    /// Complexity: O(n) in the recorded bytes.
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
            ExchangeRecorder(request, maximumBodySize) { [self] exchange in exchanges.withLock { $0.append(exchange) } }
        } observableFactory: { [transport] note in
            transport.transfer(request).do(onNext: { note.add($0) }, onError: { note.end($0) })
        }
    }
}

/// One exchange in progress.
private final class ExchangeRecorder: Disposable {
    private let state: Lock<(exchange: Recording.Exchange, body: Data, isFinished: Bool)>
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
                guard !state.isFinished else { return false }
                state.body += data.prefix(maximumBodySize - state.body.count)
                return state.body.count == maximumBodySize
            }
            if isTooLong { finish(.open) }
        case .end: finish(.complete)
        }
    }

    func end(_ error: any Error) {
        finish((error as? TransportError)?.recorded ?? .failed(kind: "other", reason: typeName(of: error)))
    }

    func dispose() {
        finish(.open)
    }

    private func finish(_ ending: Recording.Ending) {
        let exchange = state.withLock { state -> Recording.Exchange? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.exchange.body = Recording.Body(state.body)
            state.exchange.ending = ending
            state.body = Data()
            return state.exchange
        }
        exchange.map(keep)
    }
}
