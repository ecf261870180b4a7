internal import CLibcurl
import Foundation

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
        /// header, and no proxy is used.
        public var unixSocket: String?
        /// The names of header fields that are not sent, not even by libcurl.
        package var omittedHeaders: [String] = []

        /// Creates the network of the environment.
        public init() {}

        func omits(_ name: String) -> Bool { omittedHeaders.contains { $0.equalsIgnoringASCIICase(name) } }
    }
}

extension CurlTransport.Network.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The proxy, without user and password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .server(let url, _, _): redactedURL(url)
        }
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}

extension CurlTransport.Network.HostAddresses {
    /// The text for libcurl: `host:port:address,address`.
    package var text: String {
        let addresses = addresses.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
        return "\(host):\(port):\(addresses.joined(separator: ","))"
    }
}

extension CurlEasy {
    func setNetwork(_ network: CurlTransport.Network, _ transfer: CurlTransfer) {
        switch network.httpVersion {
        case .negotiated: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        case .http1: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        }
        if let family = network.addressFamily { set(CURLOPT_IPRESOLVE, family.rawValue) }
        if let address = network.localAddress { set(CURLOPT_INTERFACE, address) }
        if let path = network.unixSocket {
            set(CURLOPT_UNIX_SOCKET_PATH, path)
            set(CURLOPT_NOPROXY, "*")
        } else {
            setProxy(network.proxy, to: transfer.origin.host)
        }
        setAddresses(network.addresses.map(\.text))
    }

    private func setProxy(_ proxy: CurlTransport.Network.Proxy, to host: String?) {
        switch proxy {
        case .environment: if isLoopback(host) { set(CURLOPT_NOPROXY, "*") }
        case .none: set(CURLOPT_NOPROXY, "*")
        case .server(let url, let user, let password):
            set(CURLOPT_PROXY, url)
            if let user { set(CURLOPT_PROXYUSERNAME, user) }
            if let password { set(CURLOPT_PROXYPASSWORD, password) }
        }
    }
}
