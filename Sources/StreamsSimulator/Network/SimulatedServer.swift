public import Foundation
public import LoopbackServer
import NetNodes
public import Streams

/// A server of a simulation: the routes of a `LoopbackServer`, reached by its name from the processes of the same world.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
public final class SimulatedServer: SimulatedHost, @unchecked Sendable {
    /// The host of its URLs.
    public let name: String
    private let loop: EventLoop
    private let server: LoopbackServer
    private let conditions: Conditions

    /// What faults do to it; times are those at which they end.
    private final class Conditions: @unchecked Sendable {
        var refusesUntil = Duration.zero
        var failsUntil = Duration.zero
        /// How many of the next responses are lost, with their connections.
        var lostResponses = 0
        /// How many of the next idempotent requests arrive twice.
        var repeatedRequests = 0
        /// The open connections by their numbers, and the last number.
        var accepted: [Int: SimulatedSocket] = [:]
        var lastConnection = 0
        /// Credentials that it has seen, and those of them that have expired.
        var credentials: Set<String> = []
        var expired: Set<String> = []

        func loseResponse(onConnection number: Int) {
            guard lostResponses > 0 else { return }
            lostResponses -= 1
            accepted[number]?.output.resetsWithNextByte()
        }
    }

    init(_ name: String, _ routes: [ServerRoute], _ loop: EventLoop, _ trace: Trace) {
        let conditions = Conditions()
        (self.name, self.loop, self.conditions) = (name, loop, conditions)
        server = LoopbackServer(routes: routes) { request in
            trace.note(loop.time.now, .request, name, "\(request.method) \(request.target)")
            let credentials = request.headers["Authorization"]
            if let credentials { conditions.credentials.insert(credentials) }
            conditions.loseResponse(onConnection: request.connection)
            if loop.time.now < conditions.failsUntil { return .text("It fails.\n", status: 500) }
            if let credentials, conditions.expired.contains(credentials) { return .text("The token has expired.\n", status: 401) }
            return nil
        }
    }

    /// `http://name`, without a trailing slash.
    public var baseURL: URL { URL(outside: "http://\(name)") ?? URL(filePath: "/") }

    /// The requests that it received, oldest first.
    public var recordedRequests: [ServerRequest] { server.recordedRequests }

    /// Emits each request when it has arrived, also if a fault answers it.
    public var requests: Observable<ServerRequest> { server.requests }

    /// The number of its open connections.
    public var counts: ServerCounts { server.counts }

    var acceptsConnections: Bool { loop.time.now >= conditions.refusesUntil }

    func open(_ socket: SimulatedSocket) {
        conditions.lastConnection += 1
        conditions.accepted = conditions.accepted.filter { !$0.value.isClosed }
        conditions.accepted[conditions.lastConnection] = socket
        server.open(socket)
    }

    /// Handles the next request, but loses the response.
    func loseResponse() { conditions.lostResponses += 1 }

    /// Receives the next idempotent request twice, as behind a proxy that sends it again.
    func repeatRequest() { conditions.repeatedRequests += 1 }

    /// Sends a request again if a fault says so; nobody receives the response.
    func repeatIfProxied(_ request: HTTPRequest, _ pool: ConnectionPool) {
        guard conditions.repeatedRequests > 0, request.method.isIdempotent else { return }
        conditions.repeatedRequests -= 1
        _ = SimulatedTransport(pool: pool).transfer(request).subscribe(onError: { _ in })
    }

    func refuse(for duration: Duration) { conditions.refusesUntil = max(conditions.refusesUntil, loop.time.now + duration) }

    func fail(for duration: Duration) { conditions.failsUntil = max(conditions.failsUntil, loop.time.now + duration) }

    /// Rejects all credentials that it has seen until now.
    func expireCredentials() { conditions.expired.formUnion(conditions.credentials) }

    func stop() { server.closeConnections() }
}
