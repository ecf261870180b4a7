import Foundation
package import Sockets
import Streams

/// A small HTTP/1.1 server on the loopback address, in this process, for demos, tests and faults on demand.
///
/// It listens on 127.0.0.1 only. All of it runs on one serial queue of its own, so handlers must not block; it uses no CPU while idle.
/// Every request and every connection is recorded. Releasing the last reference stops it.
///
///     let server = LoopbackServer(.get("/hello") { _ in .text("Hello") })
///     try server.start()
///     // request server.baseURL + /hello
///     server.stop()
///
/// All members are thread-safe and may be used from handlers.
public final class LoopbackServer: Sendable {
    private let wantedPort: Int
    private let boundPort = Lock<Int?>(nil)
    private let router: SharedRouter
    private let engine: ServerEngine

    /// Creates a server that does not listen yet. With port 0 the system chooses a port.
    ///
    /// Routes are arguments and not an array, so that the compiler reports a mistake in the closure of an argument at its place.
    public convenience init(port: Int = 0, limits: Limits = Limits(), _ routes: Route...) {
        self.init(port: port, limits: limits, routes: routes, accept: { SocketCalls.accept($0) })
    }

    /// Creates a server of a simulation, which serves the sockets that are passed to `open(_:)`.
    ///
    /// - Parameter answer: returns the answer to a request, in place of its route.
    package convenience init(routes: [Route], answer: @escaping @Sendable (Request) -> Response?) {
        self.init(port: 0, limits: Limits(), routes: routes, answer: answer, accept: { _ in .wouldBlock })
    }

    init(
        port: Int, limits: Limits, routes: [Route],
        answer: @escaping @Sendable (Request) -> Response? = { _ in nil },
        accept: @escaping @Sendable (Int32) -> SocketCalls.Acceptance
    ) {
        wantedPort = port
        let router = SharedRouter(routes)
        self.router = router
        engine = ServerEngine(
            limits: limits, recorder: Recorder(limits: limits),
            respond: { request, reply in
                if let response = answer(request) {
                    reply(response)
                    return {}
                }
                let (request, responder) = router.responder(for: request)
                return responder(request, reply)
            },
            isUpload: { router.isUpload($0) },
            accept: accept)
    }

    deinit { engine.stopAsynchronously() }

    /// Starts to listen. Throws `LoopbackServer.Failure`.
    public func start() throws {
        let port = try engine.start(port: wantedPort)
        boundPort.withLock { $0 = port }
    }

    /// Closes the listening socket and every connection, and disposes the streams that are being sent. When it returns, all sockets are
    /// closed (or soon after, if it is called from a handler). You can start the server again.
    public func stop() {
        engine.stop()
        boundPort.withLock { $0 = nil }
    }

    /// Serves a client of a simulation.
    package func open(_ socket: any ByteSocket) {
        engine.open(socket)
    }

    /// Closes all open connections and keeps listening.
    public func closeConnections() {
        engine.closeConnections()
    }

    /// The port on which the server listens; before `start()`, the requested one.
    public var port: Int { boundPort.withLock { $0 } ?? wantedPort }

    /// `http://127.0.0.1:port`, without a trailing slash.
    public var baseURL: URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// Adds routes, even while the server is running. If two routes match a path equally well, the later one is used.
    public func add(_ routes: Route...) {
        router.add(routes)
    }

    /// Adds routes like ``add(_:)``. It has a name of its own, so that the compiler reports a mistake in a route's closure at its place.
    public func addRoutes(_ routes: [Route]) {
        router.add(routes)
    }

    /// Returns a port of 127.0.0.1 that is not in use: connections to it are refused. Throws `LoopbackServer.Failure`.
    public static func unusedPort() throws -> Int {
        let (descriptor, port) = try SocketCalls.listen(port: 0)
        SocketCalls.closeDescriptor(descriptor)
        return port
    }

    /// The recorded requests, oldest first, within the limits.
    public var recordedRequests: [Request] { engine.recorder.requests }

    /// Emits each request when it is complete and before it is handled. Observers run on the server's queue and must not block it.
    public var requests: Observable<Request> { engine.recorder.requestStream.asObservable() }

    /// Emits the number of each connection when it is accepted. Observers run on the server's queue.
    public var connectionOpened: Observable<Int> { engine.recorder.openedStream.asObservable() }

    /// Emits each closed connection with the request that was in progress, which shows that a client cancelled. Observers run on the
    /// server's queue.
    public var connectionClosed: Observable<ClosedConnection> { engine.recorder.closedStream.asObservable() }

    /// Removes the recorded requests; the counts are kept.
    public func forgetRequests() { engine.recorder.forgetRequests() }

    /// The counts since the server was created.
    public var counts: Counts { engine.recorder.counts }
}

extension LoopbackServer {
    /// The sizes and times that a server accepts. A request beyond a limit is answered with 408, 413, 414 or 431.
    public struct Limits: Sendable, Equatable {
        /// The maximum bytes of a request line, beyond which the response is 414.
        public var requestLineBytes = 16 << 10
        /// The maximum bytes of all header lines of a request, beyond which the response is 431.
        public var headerBytes = 64 << 10
        /// The maximum bytes of a request's body, beyond which the response is 413. A body that is a stream may have any size.
        public var bodyBytes = 64 << 20
        /// The maximum bytes of a streaming body buffered for a slow client, if the source cannot be suspended; beyond it the connection is
        /// aborted and the stream disposed.
        public var streamBufferBytes = 16 << 20
        /// The maximum number of recorded requests; the oldest are removed first.
        public var recordedRequests = 10_000
        /// The maximum memory of the recorded requests, with targets, headers and bodies; the oldest are removed first.
        public var recordedBytes = 64 << 20
        /// The idle timeout, after which the connection is closed: the time for which a client may send nothing while a request is
        /// incomplete, or receive nothing of a response. It does not apply while the client waits for the server: for a handler, a delay, a
        /// hang, a stream without events, or a suspended upload.
        public var idleTime = Duration.seconds(60)
        /// The request timeout: the time from the first byte of a request to its last, after which the response is 408. If the body is a
        /// stream, only the header counts.
        public var requestTime = Duration.seconds(60)

        /// Creates the default limits.
        public init() {}
    }

    /// The reason why a server cannot start.
    public enum Failure: Error, Sendable, Equatable, LocalizedError {
        /// The server is already running.
        case alreadyRunning
        /// The port is below 0 or above 65535.
        case impossiblePort(Int)
        /// Another program listens on that port.
        case portInUse(Int)
        /// The system refused, with its reason.
        case cannotListen(port: Int, reason: String)

        /// The error as a sentence.
        public var errorDescription: String? {
            switch self {
            case .alreadyRunning: "The server is running already."
            case .impossiblePort(let port): "\(port) is not a port: ports go from 0 to 65535."
            case .portInUse(let port): "Port \(port) of 127.0.0.1 is in use by another program."
            case .cannotListen(let port, let reason): "The server cannot listen on port \(port) of 127.0.0.1: \(reason)."
            }
        }
    }
}
