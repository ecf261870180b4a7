internal import CLibcurl

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
