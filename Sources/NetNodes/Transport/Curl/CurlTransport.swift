public import Streams

/// Transfers through libcurl: HTTP/1.1 and HTTP/2, TLS, connections that are kept, compression, proxies by environment. Waiting uses no CPU.
///
/// One transport has one thread, on which events are delivered one after another; whoever blocks in one holds up the other transfers.
public final class CurlTransport: Sendable {
    /// What holds for all transfers of a transport.
    public struct Configuration: Sendable {
        /// Connections to one host at a time, 0 for no limit; further requests wait for one to be free.
        public var connectionsPerHost = 64
        /// Connections at a time in all, 0 for no limit.
        public var connections = 512
        /// Connections that are kept for later requests.
        public var idleConnections = 64
        /// What goes into `User-Agent` where the request has none; `nil` sends none. A line break in it is `TransportError.invalidHeader`.
        public var userAgent: String? = "NetNodes"
        /// A PEM file with the certificate authorities to trust; `nil` for the one that `SSL_CERT_FILE` or `CURL_CA_BUNDLE` names, and those of the
        /// system where neither is set. What has been read is kept for 24 hours. A file that cannot be read is
        /// ``TransportError/unreadableAuthorities(path:reason:)`` for each https request.
        public var certificateAuthorities: String?

        public init() {}
    }

    let engine: CurlEngine

    public init(_ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.certificateAuthorities = CertificateAuthorities.path(configured: configuration.certificateAuthorities)
        engine = CurlEngine(configuration)
    }

    deinit {
        engine.shutDown()
    }
}

extension CurlTransport: Transport {
    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        // The stream holds the transport: without one its engine shuts down.
        .create { [self] observer in
            let transfer = CurlTransfer(request, engine: engine) { $0.send(to: observer) }
            engine.start(transfer)
            return Disposables.create { transfer.engine.cancel(transfer) }
        }
    }

    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        // Not `create`, whose serializer costs as much as the rest: the engine delivers one event after another and none after the end.
        Observable { [self] downstream, lifetime in
            let collector = ResponseCollector(for: request)
            let transfer = CurlTransfer(request, engine: engine, collector: collector) { event in
                guard !lifetime.isDisposed else { return }
                switch event {
                case .success(let event):
                    guard case .end(let metrics) = event, let response = collector.end(metrics) else {
                        return downstream.onError(TransportError.noResponse)
                    }
                    downstream.finish(with: response, in: lifetime)
                case .failure(let error): downstream.onError(error)
                }
            }
            // Whoever disposes keeps the transport until then: without one its engine shuts down.
            lifetime.add { [self] in engine.cancel(transfer) }
            engine.start(transfer)
        }
    }
}

extension CurlTransport: PausableTransport {
    public func transfer(_ request: HTTPRequest, pausedWhile isPaused: Observable<Bool>) -> Observable<TransferEvent> {
        .create { [self] observer in
            let transfer = CurlTransfer(request, engine: engine) { $0.send(to: observer) }
            // Before it begins: one that is to begin paused has taken nothing when it hears of it.
            let pausing = isPaused.subscribe(
                onNext: { transfer.engine.setPaused($0, transfer) }, onError: { observer.onError($0) })
            engine.start(transfer)
            return Disposables.create {
                transfer.engine.cancel(transfer)
                pausing.dispose()
            }
        }
    }
}

extension Result<TransferEvent, TransportError> {
    fileprivate func send(to observer: AnyObserver<TransferEvent>) {
        switch self {
        case .success(let event):
            observer.onNext(event)
            if case .end = event { observer.onCompleted() }
        case .failure(let error): observer.onError(error)
        }
    }
}
