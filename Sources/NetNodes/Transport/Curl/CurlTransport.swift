internal import CLibcurl
import Foundation
public import Streams

/// A transport on libcurl: HTTP/1.1 and HTTP/2, TLS, persistent connections, compression, proxies from the environment. It uses no CPU
/// while idle.
///
/// A transport has a few loops, each with a thread and connections of its own; a thread starts when it is first needed. It delivers the
/// events of its transfers, those of one transfer one at a time and in order; an observer that blocks it delays the others of the same
/// thread. Over TLS, one more thread ends connections whose servers keep the others busy without sending a response.
public final class CurlTransport: Sendable {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The number of loops, from 1 to 64: by default that of the processor's cores, at most four. All limits hold for the loops together.
        /// With another number, each request fails with `TransportError.cannotConnect(url:reason:)`.
        public var loops = min(4, ProcessInfo.processInfo.activeProcessorCount)
        /// The maximum number of connections to one host; 0 means no limit. Further requests wait.
        public var connectionsPerHost = 64
        /// The number of loops that may have a connection of HTTP/2 to one host, at least 1. With one, all requests to the host share a
        /// connection, as [RFC 9113, 9.1](https://www.rfc-editor.org/rfc/rfc9113#section-9.1) asks for. A second one makes many small requests
        /// faster.
        public var connectionsPerHTTP2Host = 1
        /// The maximum number of connections in total; 0 means no limit. Further requests wait.
        public var connections = 512
        /// The maximum number of idle connections kept for later requests. With fewer than are used at once, some are closed after each
        /// response, and opened again for the next request.
        public var idleConnections = 256
        /// The `User-Agent` of requests without one; with `nil` none is sent. A line break in it fails with `TransportError.invalidHeader`.
        public var userAgent: String? = "NetNodes"
        /// The time for which a connection may be idle and still be used, in whole seconds; `nil` means two minutes.
        public var maximumIdleTime: Duration?
        /// The age from which a connection is not used again, in whole seconds; `nil` means any age. Behind a balancer, requests thus find
        /// new servers.
        public var maximumConnectionAge: Duration?
        /// The number of requests after which a connection is not used again; `nil` means any number. Requests that run at once on one
        /// connection of HTTP/2 may exceed it. Connections to a Unix socket are not counted.
        public var maximumRequestsPerConnection: Int?
        /// The options for verifying servers, and for identifying this client.
        public var tls = TLSOptions()
        /// Receives the events on the connections of the transport, for diagnosis. It is called on the threads of all loops, possibly at once;
        /// those of one connection follow each other. See ``CurlTransport/Trace``.
        public var trace: (@Sendable (Trace) -> Void)?
        /// Receives libcurl's code of each transfer that it has failed, on the thread of the transfer and before the error.
        package var failures: (@Sendable (Int32) -> Void)?
        /// The way in which servers are reached.
        public var network = Network()

        /// Creates the default configuration.
        public init() {}
    }

    let loops: CurlLoops

    /// Creates a transport with connections of its own.
    public init(_ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.tls.certificateAuthorities = CertificateAuthorities.found(configured: configuration.tls.certificateAuthorities)
        loops = CurlLoops(configuration)
        CurlLibrary.prepare()
    }

    deinit {
        loops.shutDown()
    }

    /// Ends the transport. Further requests fail with `TransportError.cannotConnect(url:reason:)`. Running requests may end within a time,
    /// and fail after it with `TransportError.connectionLost(url:reason:)`. Returns when all have ended and no connection is open.
    ///
    /// Without this call, a transport closes its connections when it and its requests are gone.
    public func shutDown(within limit: Duration = .seconds(30)) async {
        await loops.shutDown(within: limit)
    }
}

extension CurlTransport.Configuration {
    var hasValidLoops: Bool { (1...64).contains(loops) }
}

extension CurlTransport: Transport {
    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        // This is not `create`, whose serializer costs as much as everything else: the engine serializes events, and delivers none after
        // the terminal one.
        Observable { [self] downstream, lifetime in
            let outlet = TransferOutlet(downstream, lifetime, isStreamed: true)
            start(CurlTransfer(request, in: loops, outlet: outlet), in: lifetime)
        }
    }

    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        Observable { [self] downstream, lifetime in
            let collector = ResponseCollector(for: request)
            let observer = AnyObserver<TransferEvent>.receiving { event in
                switch event.take() {
                case .next(.end(let metrics)):
                    guard let response = collector.end(metrics) else { return downstream.onError(TransportError.noResponse) }
                    downstream.finish(with: response, in: lifetime)
                case .next, .completed: break
                case .error(let error): downstream.onError(error)
                }
            }
            let outlet = TransferOutlet(observer, lifetime, isStreamed: false)
            start(CurlTransfer(request, in: loops, collector: collector, outlet: outlet), in: lifetime)
        }
    }

    private func start(_ transfer: CurlTransfer, in lifetime: Lifetime) {
        transfer.request.describeInInspector()
        // The action retains the transport, whose loops end when it is deallocated.
        lifetime.add { [self] in loops.cancel(transfer) }
        loops.start(transfer)
    }
}

extension CurlTransport {
    /// The way in which servers are reached, where it differs from the environment.
    public struct Network: Sendable, Equatable {
        /// The proxy of all requests.
        public enum Proxy: Sendable, Equatable {
            /// Uses the proxy that `http_proxy`, `https_proxy` or `all_proxy` names, except for the hosts in `no_proxy` and for loopback
            /// addresses.
            case environment
            /// Uses no proxy, and ignores the environment.
            case none
            /// Uses the proxy at a URL with the scheme `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`, even for loopback
            /// addresses. The proxy resolves names, except with `socks4` and `socks5`.
            case server(url: String, user: String? = nil, password: String? = nil)
        }

        /// The addresses of a name, which is then not looked up.
        public struct HostAddresses: Sendable, Equatable {
            /// The name or address in the URL.
            public var host: String
            /// The port of the URL.
            public var port: Int
            /// The addresses, tried in this order.
            public var addresses: [String]

            /// Creates the addresses of a host at a port.
            public init(host: String, port: Int, addresses: [String]) {
                self.host = host
                self.port = port
                self.addresses = addresses
            }
        }

        /// A version of the Internet Protocol, with libcurl's number for its addresses alone.
        public enum AddressFamily: Int, Sendable {
            /// IPv4.
            case v4 = 1
            /// IPv6.
            case v6 = 2
        }

        /// The version of HTTP.
        public enum HTTPVersion: Sendable {
            /// Uses HTTP/2 over TLS if the server supports it, and HTTP/1.1 otherwise.
            case negotiated
            /// Uses HTTP/1.1.
            case http1

            /// Whether requests may share a connection over TLS.
            var mayMultiplex: Bool {
                switch self {
                case .negotiated: true
                case .http1: false
                }
            }
        }

        /// The proxy.
        public var proxy = Proxy.environment
        /// The addresses of names that are not looked up.
        public var addresses: [HostAddresses] = []
        /// The only kind of address that is used; `nil` means both.
        public var addressFamily: AddressFamily?
        /// The version of HTTP.
        public var httpVersion = HTTPVersion.negotiated
        /// The local address, name or network interface of connections; `nil` lets the system choose.
        public var localAddress: String?
        /// The path of the Unix socket to which all requests are sent, such as `/var/run/docker.sock`: the host of a URL is then only a
        /// header, and no proxy is used. A path that no socket can have, because it is empty, too long for the system or contains a NUL,
        /// fails with `TransportError.cannotConnect(url:reason:)`.
        public var unixSocket: String?
        /// The names of header fields that are not sent, not even by libcurl.
        package var omittedHeaders: [String] = []

        /// Creates the network of the environment.
        public init() {}

        func omits(_ name: String) -> Bool { omittedHeaders.contains { $0.equalsIgnoringASCIICase(name) } }
    }
}

extension CurlTransport.Network.Proxy: RedactedDescription {
    /// The proxy, without user and password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .server(let url, _, _): redactedURL(url)
        }
    }
}

extension CurlTransport.Network.HostAddresses {
    /// The text for libcurl: `host:port:address,address`.
    package var text: String {
        let addresses = addresses.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
        return "\(host):\(port):\(addresses.joined(separator: ","))"
    }
}

/// Returns the reason why no socket can have this path.
private func obstacle(ofSocketAt path: String) -> String? {
    let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    if path.isEmpty { return "the path of the Unix socket is empty" }
    if path.utf8.contains(0) { return "the path of the Unix socket contains a NUL: \(path.controlsEscaped)" }
    guard path.utf8.count > limit else { return nil }
    return "the path of the Unix socket has \(path.utf8.count) bytes, and the limit is \(limit): \(path.controlsEscaped)"
}

extension CurlEasy {
    func setNetwork(_ network: CurlTransport.Network, _ transfer: CurlTransfer) throws(TransportError) {
        switch network.httpVersion {
        case .negotiated: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        case .http1: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        }
        if let family = network.addressFamily { set(CURLOPT_IPRESOLVE, family.rawValue) }
        if let address = network.localAddress { set(CURLOPT_INTERFACE, address) }
        if let path = network.unixSocket {
            if let obstacle = obstacle(ofSocketAt: path) {
                throw .cannotConnect(url: transfer.request.redactedURL, reason: obstacle)
            }
            set(CURLOPT_UNIX_SOCKET_PATH, path)
            set(CURLOPT_NOPROXY, "*")
        } else {
            setProxy(network.proxy, isLoopback: transfer.place?.origin.isLoopback == true)
        }
        if !network.addresses.isEmpty { setAddresses(network.addresses.map(\.text)) }
    }

    private func setProxy(_ proxy: CurlTransport.Network.Proxy, isLoopback: Bool) {
        switch proxy {
        case .environment: if isLoopback { set(CURLOPT_NOPROXY, "*") }
        case .none: set(CURLOPT_NOPROXY, "*")
        case .server(let url, let user, let password):
            set(CURLOPT_PROXY, url)
            if let user { set(CURLOPT_PROXYUSERNAME, user) }
            if let password { set(CURLOPT_PROXYPASSWORD, password) }
        }
    }
}
