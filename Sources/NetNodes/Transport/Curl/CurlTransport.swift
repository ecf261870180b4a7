internal import CLibcurl
public import Streams

/// A transport on libcurl: HTTP/1.1 and HTTP/2, TLS, persistent connections, compression, proxies from the environment. It uses no CPU
/// while idle.
///
/// A transport has one thread, on which all events are delivered; an observer that blocks it delays all other transfers. Over TLS another
/// one ends connections whose servers keep it busy without sending a response.
public final class CurlTransport: Sendable {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The maximum number of connections to one host, 0 for no limit; further requests wait.
        public var connectionsPerHost = 64
        /// The maximum number of connections in total, 0 for no limit.
        public var connections = 512
        /// The maximum number of idle connections kept for later requests.
        public var idleConnections = 64
        /// The `User-Agent` of requests without one; `nil` sends none. A line break in it fails with `TransportError.invalidHeader`.
        public var userAgent: String? = "NetNodes"
        /// A PEM file with the trusted certificate authorities; `nil` for the one in `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, or the system's
        /// if neither is set. Its content is cached for 24 hours. A file that cannot be read fails each https request with
        /// `TransportError.unreadableAuthorities(path:reason:)`.
        public var certificateAuthorities: String?
        /// Whether the server's certificate and its host name are verified. Without that anybody on the way can read and change what is
        /// transferred.
        public var verifiesServer = true
        /// A PEM file with the certificate that identifies this client, and its private key unless ``clientKey`` is another file. One that
        /// cannot be used fails each https request with `TransportError.secureConnectionFailed(url:reason:)`.
        public var clientCertificate: String?
        /// A PEM file with the private key of ``clientCertificate``.
        public var clientKey: String?
        /// Receives what happens on the connections of the transport, on its thread: for diagnosis. See ``TransferTrace``.
        public var trace: (@Sendable (TransferTrace) -> Void)?
        /// How servers are reached.
        package var network = Network()

        /// Creates the default configuration.
        public init() {}
    }

    let engine: CurlEngine

    /// Creates a transport with connections of its own.
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
        // Not `create`, whose serializer costs as much as the rest: the engine serializes events and delivers none after the terminal one.
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

extension CurlTransport {
    /// How servers are reached, where it is not as the environment says.
    package struct Network: Sendable, Equatable {
        /// A version of the Internet Protocol, with libcurl's number for its addresses alone.
        package enum Version: Int, Sendable {
            case ipv4 = 1
            case ipv6 = 2
        }

        /// The only version whose addresses are used; `nil` for both.
        package var version: Version?
        /// The URL of the proxy, also for loopback addresses; empty for none. `nil` for that of the environment.
        package var proxy: String?
        /// Addresses that are not looked up: `HOST:PORT:ADDRESS`.
        package var addresses: [String] = []
        /// Whether HTTP/2 is not used.
        package var isLimitedToHTTP1 = false
        /// The names of header fields that are not sent, not even by libcurl.
        package var omittedHeaders: [String] = []

        package init() {}

        func omits(_ name: String) -> Bool { omittedHeaders.contains { $0.equalsIgnoringASCIICase(name) } }
    }
}

extension CurlEasy {
    func setNetwork(_ network: CurlTransport.Network, _ transfer: CurlTransfer) {
        set(CURLOPT_HTTP_VERSION, network.isLimitedToHTTP1 ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
        if let version = network.version { set(CURLOPT_IPRESOLVE, version.rawValue) }
        if let proxy = network.proxy {
            set(CURLOPT_PROXY, proxy)
        } else if isLoopback(transfer.origin.host) {
            set(CURLOPT_NOPROXY, "*")
        }
        setAddresses(network.addresses)
    }
}
