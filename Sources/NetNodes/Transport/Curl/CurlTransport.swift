internal import CLibcurl
public import Streams

/// A transport on libcurl: HTTP/1.1 and HTTP/2, TLS, persistent connections, compression, proxies from the environment. It uses no CPU
/// while idle.
///
/// A transport has one thread, which delivers all events; an observer that blocks it delays all other transfers. Over TLS, a second thread
/// ends connections whose servers keep the first one busy without sending a response.
public final class CurlTransport: Sendable {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The maximum number of connections to one host; 0 means no limit. Further requests wait.
        public var connectionsPerHost = 64
        /// The maximum number of connections in total; 0 means no limit.
        public var connections = 512
        /// The maximum number of idle connections kept for later requests.
        public var idleConnections = 64
        /// The `User-Agent` of requests without one; with `nil` none is sent. A line break in it fails with `TransportError.invalidHeader`.
        public var userAgent: String? = "NetNodes"
        /// The time for which a connection may be idle and still be used, in whole seconds; `nil` means two minutes.
        public var maximumIdleTime: Duration?
        /// The age from which a connection is not used again, in whole seconds; `nil` means any age. Behind a balancer, requests thus find
        /// new servers.
        public var maximumConnectionAge: Duration?
        /// The options for verifying servers, and for identifying this client.
        public var tls = TLSOptions()
        /// Receives the events on the connections of the transport, on its thread, for diagnosis. See ``TransferTrace``.
        public var trace: (@Sendable (TransferTrace) -> Void)?
        /// The way in which servers are reached.
        public var network = Network()

        /// Creates the default configuration.
        public init() {}
    }

    let engine: CurlEngine

    /// Creates a transport with connections of its own.
    public init(_ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.tls.certificateAuthorities = CertificateAuthorities.found(configured: configuration.tls.certificateAuthorities)
        engine = CurlEngine(configuration)
    }

    deinit {
        engine.shutDown()
    }

    /// Ends the transport. Further requests fail with `TransportError.cannotConnect(url:reason:)`. Running requests may end within a time,
    /// and fail after it with `TransportError.connectionLost(url:reason:)`. Returns when all have ended and no connection is open.
    ///
    /// Without this call, a transport closes its connections when it and its requests are gone.
    public func shutDown(within limit: Duration = .seconds(30)) async {
        await withCheckedContinuation { continuation in
            engine.shutDown(within: limit) { continuation.resume() }
        }
    }
}

extension CurlTransport: Transport {
    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        // This is not `create`, whose serializer costs as much as everything else: the engine serializes events, and delivers none after
        // the terminal one.
        Observable { [self] downstream, lifetime in
            let outlet = TransferOutlet(lifetime, isStreamed: true) { downstream.receive($0) }
            start(CurlTransfer(request, engine: engine, outlet: outlet), in: lifetime)
        }
    }

    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        Observable { [self] downstream, lifetime in
            let collector = ResponseCollector(for: request)
            let outlet = TransferOutlet(lifetime, isStreamed: false) { event in
                switch event {
                case .success(let event):
                    guard case .end(let metrics) = event, let response = collector.end(metrics) else {
                        return downstream.onError(TransportError.noResponse)
                    }
                    downstream.finish(with: response, in: lifetime)
                case .failure(let error): downstream.onError(error)
                }
            }
            start(CurlTransfer(request, engine: engine, collector: collector, outlet: outlet), in: lifetime)
        }
    }

    private func start(_ transfer: CurlTransfer, in lifetime: Lifetime) {
        transfer.request.describeInInspector()
        // The action retains the transport, whose engine shuts down when it is deallocated.
        lifetime.add { [self] in engine.cancel(transfer) }
        engine.start(transfer)
    }
}
