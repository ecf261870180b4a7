public import Foundation

extension CurlTransport {
    /// The connections of a transport, and the requests that use them or wait for them, at one moment.
    public struct Traffic: Sendable, Equatable {
        /// The open connections.
        public internal(set) var openConnections = 0
        /// Those of them that no request uses.
        public internal(set) var idleConnections = 0
        /// The requests that run; of HTTP/2, many use one connection.
        public internal(set) var runningRequests = 0
        /// The requests that wait, because a limit of connections is reached.
        public internal(set) var waitingRequests = 0
    }

    /// The connections and requests to all servers, for a metric or a log.
    ///
    /// Complexity: O(n) in the number of servers that were asked lately.
    public var traffic: Traffic { loops.traffic.snapshot() }

    /// Returns the connections and requests to the server of a URL.
    public func traffic(to url: URL) -> Traffic { loops.traffic.snapshot(of: Origin(url)) }
}
