public import Foundation
public import LoopbackServer
import NetNodes
public import Streams

extension Simulation {
    /// A server of a simulation: the routes of a `LoopbackServer`, reached by its name from the processes of the same world.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    public final class Server: SimulatedHost, @unchecked Sendable {
        /// The host in its URLs.
        public let name: String
        private let loop: EventLoop
        private let server: LoopbackServer
        private let conditions: Conditions

        /// The effects of faults on the server.
        private final class Conditions: @unchecked Sendable {
            var refusing = CurrentFaults()
            var failing = CurrentFaults()
            /// The faults that lose the next responses, together with their connections.
            var lostResponses = SingleFaults()
            /// The faults that repeat the next idempotent requests.
            var repeatedRequests = SingleFaults()
            /// The open connections by their numbers, and the last number.
            var accepted: [Int: SimulatedSocket] = [:]
            var lastConnection = 0
            /// The credentials that the server has seen, and those of them that have expired.
            var credentials: Set<String> = []
            var expired: [String: FaultOccurrence] = [:]

            func loseResponse(onConnection number: Int) {
                if lostResponses.spoil() { accepted[number]?.output.resetsWithNextByte() }
            }

            /// Whether credentials have expired.
            func rejects(_ credentials: String?) -> Bool {
                guard let credentials, let fault = expired[credentials] else { return false }
                fault.takeEffect()
                return true
            }
        }

        init(_ name: String, _ routes: [LoopbackServer.Route], _ loop: EventLoop, _ trace: Trace) {
            let conditions = Conditions()
            (self.name, self.loop, self.conditions) = (name, loop, conditions)
            server = LoopbackServer(routes: routes) { request in
                trace.note(loop.time.now, .request, name, "\(request.method) \(request.target)")
                let credentials = request.headers["Authorization"]
                if let credentials { conditions.credentials.insert(credentials) }
                conditions.loseResponse(onConnection: request.connection)
                if conditions.failing.hinder(at: loop.time.now) { return .text("It fails.\n", status: 500) }
                if conditions.rejects(credentials) { return .text("The token has expired.\n", status: 401) }
                return nil
            }
        }

        /// `http://name`, without a trailing slash.
        public var baseURL: URL { URL(lenient: "http://\(name)") ?? URL(filePath: "/") }

        /// The requests that the server received, oldest first.
        public var recordedRequests: [LoopbackServer.Request] { server.recordedRequests }

        /// Emits each request when it has arrived, even if a fault answers it.
        public var requests: Observable<LoopbackServer.Request> { server.requests }

        /// The counts of its connections and requests.
        public var counts: LoopbackServer.Counts { server.counts }

        func acceptsConnection() -> Bool { !conditions.refusing.hinder(at: loop.time.now) }

        func open(_ socket: SimulatedSocket) {
            conditions.lastConnection += 1
            conditions.accepted = conditions.accepted.filter { !$0.value.isClosed }
            conditions.accepted[conditions.lastConnection] = socket
            server.open(socket)
        }

        /// Handles the next request, but loses the response.
        func loseResponse(by fault: FaultOccurrence) { conditions.lostResponses.add(fault) }

        /// Receives the next idempotent request twice, as behind a proxy that sends it again.
        func repeatRequest(by fault: FaultOccurrence) { conditions.repeatedRequests.add(fault) }

        /// Sends a request again if a fault requires that; nobody receives the response.
        func repeatIfProxied(_ request: HTTPRequest, _ pool: ConnectionPool) {
            guard request.method.isIdempotent, conditions.repeatedRequests.spoil() else { return }
            _ = SimulatedTransport(pool: pool).transfer(request).subscribe(onError: { _ in })
        }

        func refuse(for duration: Duration, by fault: FaultOccurrence?) { conditions.refusing.add(fault, until: loop.time.now + duration) }

        func fail(for duration: Duration, by fault: FaultOccurrence) { conditions.failing.add(fault, until: loop.time.now + duration) }

        /// Rejects all credentials that the server has seen until now.
        func expireCredentials(by fault: FaultOccurrence) {
            for credentials in conditions.credentials where conditions.expired[credentials] == nil {
                conditions.expired[credentials] = fault
            }
        }

        func stop() { server.closeConnections() }
    }
}
