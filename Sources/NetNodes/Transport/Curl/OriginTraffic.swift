import Foundation
import SocketNodes
import Streams

/// The transfers to one origin and the connections to it, in each loop. Accessed with the lock of its ``LoopTraffic`` only.
///
/// All transfers to an origin that speaks HTTP/2, or may do that, share a loop, so that they share a connection.
final class OriginTraffic {
    /// The number of transfers at which a new connection in another loop costs less than waiting.
    private static let connectionCost = 6
    /// The difference in work at which a loop other than the preferred one is taken.
    private static let switchCost = 4
    /// The difference in running transfers at which a loop gives a connection up.
    private static let surplus = 8

    /// Whether a connection carries one request at a time; `nil` until a response has shown it.
    @exclusivity(unchecked) private(set) var isExclusive: Bool?
    /// The running transfers of each loop. Accesses need no exclusivity check, since one holder of the lock at a time has them.
    @exclusivity(unchecked) var running: [Int]
    /// The open connections of each loop.
    @exclusivity(unchecked) var connections: [Int]
    /// The transfers that run, or wait only for others to any origin.
    var admitted = 0
    var waiting = TicketQueue<CurlTransfer>()
    /// The loops that share connections of HTTP/2.
    @exclusivity(unchecked) private var homes: [Int] = []
    /// Whether the server is on this machine, so that the environment's proxies do not count.
    let isLoopback: Bool
    /// Whether connections lead to a proxy, which other origins share: libcurl counts them.
    private let isProxied: Bool

    init(to origin: Origin, _ limits: ConnectionLimits, loops: Int) {
        isExclusive = origin.scheme == "http" || !limits.mayMultiplex ? true : nil
        isLoopback = SocketNodes.isLoopback(origin.host)
        isProxied = origin.scheme == "http" && limits.usesProxy(toLoopback: isLoopback)
        running = Array(repeating: 0, count: loops)
        connections = running
    }

    /// Whether nothing is left of it.
    var isIdle: Bool { admitted == 0 && waiting.isEmpty && connections.allSatisfy { $0 == 0 } }

    /// Whether a further transfer needs a connection of its own.
    var needsConnection: Bool { isExclusive == true || running.allSatisfy { $0 == 0 } }

    /// The number of connections that the running transfers of a loop need.
    func occupied(in loop: Int) -> Int { isExclusive == true ? running[loop] : min(1, running[loop]) }

    /// The number of connections that a loop has or will have.
    func expected(in loop: Int) -> Int { max(connections[loop], occupied(in: loop)) }

    func add(to sum: inout CurlTransport.Traffic) {
        for loop in running.indices {
            sum.openConnections += connections[loop]
            sum.idleConnections += max(0, connections[loop] - occupied(in: loop))
            sum.runningRequests += running[loop]
            sum.waitingRequests -= running[loop]
        }
        sum.waitingRequests += admitted + waiting.count
    }

    func enter(_ loop: Int) {
        running[loop] += 1
        if isExclusive != true, !homes.contains(loop) { homes.append(loop) }
    }

    func learn(isExclusive: Bool, in loop: Int) {
        self.isExclusive = isExclusive
        homes = isExclusive ? [] : [loop]
    }

    /// Returns the loop with the least work for a further transfer, and whether that has to give its connection up afterwards, because the
    /// origin's limit keeps a loop with less work from having it.
    func choose(isStreamed: Bool, _ limits: ConnectionLimits, _ loops: [LoopLoad]) -> (loop: Int, givesUpConnection: Bool) {
        guard loops.count > 1, !isProxied else { return (0, false) }
        if homes.allSatisfy({ running[$0] == 0 && connections[$0] == 0 }) { homes = [] }
        let mayOpen = isExclusive != true || loops.indices.reduce(0) { $0 + max(running[$1], connections[$1]) } < limits.perHost
        let mayAdd = loops.reduce(0) { $0 + $1.expected } < limits.total
        // Until it is known, one loop has all connections, of which libcurl then keeps the limit.
        let homeLimit = isExclusive == false ? limits.multiplexed : 1
        var best: (loop: Int, cost: Int)?
        var lowest = (loop: 0, cost: Int.max)
        for step in loops.indices {
            let loop = isStreamed ? loops.count - 1 - step : step
            guard isExclusive == true || homes.count < homeLimit || homes.contains(loop) else { continue }
            let hasConnection = isExclusive == true ? running[loop] < connections[loop] : connections[loop] > 0
            let cost = loops[loop].work + (hasConnection ? 0 : Self.connectionCost) + (step == 0 ? 0 : Self.switchCost)
            if cost < lowest.cost { lowest = (loop, cost) }
            // Where all connections are taken, libcurl replaces an idle one of the loop.
            guard hasConnection || mayOpen && (mayAdd || loops[loop].hasIdle) else { continue }
            if cost < best?.cost ?? .max { best = (loop, cost) }
        }
        guard let best else { return (homes.first ?? 0, false) }
        let isSurplus = !mayOpen && lowest.cost < best.cost && running[lowest.loop] + Self.surplus < running[best.loop]
        return (best.loop, isSurplus)
    }
}

/// The limits of a transport's connections, for all loops together.
struct ConnectionLimits: Sendable {
    /// The variables that name a proxy for requests without TLS.
    private static let proxyVariables: [String] = ["http_proxy", "all_proxy", "ALL_PROXY"]

    let perHost: Int
    let total: Int
    let multiplexed: Int
    let mayMultiplex: Bool
    private let proxy: CurlTransport.Network.Proxy
    private let hasSocket: Bool

    init(_ configuration: CurlTransport.Configuration) {
        perHost = configuration.connectionsPerHost == 0 ? .max : configuration.connectionsPerHost
        total = configuration.connections == 0 ? .max : configuration.connections
        multiplexed = max(1, configuration.connectionsPerHTTP2Host)
        mayMultiplex = configuration.network.httpVersion.mayMultiplex
        proxy = configuration.network.proxy
        hasSocket = configuration.network.unixSocket != nil
    }

    /// Whether requests without TLS may go through a proxy.
    func usesProxy(toLoopback isLoopback: Bool) -> Bool {
        switch proxy {
        case _ where hasSocket, .none: false
        case .server: true
        case .environment: !isLoopback && Self.proxyVariables.contains { getenv($0) != nil }
        }
    }

    /// The number of connections that a loop may have beside those of the others; 0 means any number. A running transfer must not wait in
    /// libcurl for connections that other loops are about to close.
    func connections(of loop: Int, _ loops: [LoopLoad]) -> Int {
        guard total != .max else { return 0 }
        let others = loops.indices.reduce(0) { $0 + ($1 == loop ? 0 : loops[$1].expected) }
        return max(total - others, loops[loop].occupied, 1)
    }
}
