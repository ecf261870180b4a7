import Foundation
import Streams

/// A small HTTP/1.1 server on the loopback address, in this process: for demos, for tests, and for things that must go wrong on demand.
///
/// It listens on 127.0.0.1 only. All of it runs on one serial queue of its own, so handlers must not block; waiting, it uses no CPU. Every request
/// and every connection is recorded. Dropping the last reference stops it.
///
///     let server = LoopbackServer(routes: [.get("/hello") { _ in .text("Hello") }])
///     try server.start()
///     // ask server.baseURL for /hello
///     server.stop()
///
/// All members may be used from any thread, and from handlers.
public final class LoopbackServer: Sendable {
    private let wantedPort: Int
    private let boundPort = Lock<Int?>(nil)
    private let router: SharedRouter
    private let engine: ServerEngine

    /// Makes a server that does not listen yet. Port 0 lets the system choose one.
    public convenience init(port: Int = 0, limits: ServerLimits = ServerLimits(), routes: [ServerRoute] = []) {
        self.init(port: port, limits: limits, routes: routes, accept: { SocketCalls.accept($0) })
    }

    init(port: Int, limits: ServerLimits, routes: [ServerRoute], accept: @escaping @Sendable (Int32) -> SocketCalls.Acceptance) {
        wantedPort = port
        let router = SharedRouter(routes)
        self.router = router
        engine = ServerEngine(
            limits: limits, recorder: Recorder(limits: limits),
            respond: { request, reply in
                let (request, responder) = router.responder(for: request)
                return responder(request, reply)
            },
            accept: accept)
    }

    deinit { engine.stopSoon() }

    /// Starts to listen. Throws `LoopbackServerError`.
    public func start() throws {
        let port = try engine.start(port: wantedPort)
        boundPort.withLock { $0 = port }
    }

    /// Closes the listening socket and every connection; streams that were being sent are disposed. When it returns, all sockets are closed
    /// (soon after, when it is called by a handler). It can be started again.
    public func stop() {
        engine.stop()
        boundPort.withLock { $0 = nil }
    }

    /// Closes every connection that is open now and goes on listening.
    public func closeConnections() {
        engine.closeConnections()
    }

    /// The port it listens on; before `start()` the one it was made with.
    public var port: Int { boundPort.withLock { $0 } ?? wantedPort }

    /// `http://127.0.0.1:port`, without a final slash.
    public var baseURL: URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// Adds routes, also while it runs. Where two describe a path equally well, the later one answers.
    public func add(_ routes: ServerRoute...) {
        router.add(routes)
    }

    /// Adds routes, also while it runs. Where two describe a path equally well, the later one answers.
    public func add(_ routes: [ServerRoute]) {
        router.add(routes)
    }

    /// A port of 127.0.0.1 on which nobody listens at this moment: connecting to it is refused. Throws `LoopbackServerError`.
    public static func unusedPort() throws -> Int {
        let (descriptor, port) = try SocketCalls.listen(port: 0)
        SocketCalls.closeDescriptor(descriptor)
        return port
    }

    /// The requests so far, oldest first, as far as the limits keep them.
    public var recordedRequests: [ServerRequest] { engine.recorder.requests }

    /// Each request from now on, when it is complete and before it is answered. Observers run on the server's queue and must not block it.
    public var requests: Observable<ServerRequest> { engine.recorder.requestStream.asObservable() }

    /// The number of each connection from now on, when it is accepted. Observers run on the server's queue.
    public var connectionOpened: Observable<Int> { engine.recorder.openedStream.asObservable() }

    /// Each connection that ends from now on, with what was being answered at that moment: how a test sees that a client cancelled. Observers run on
    /// the server's queue.
    public var connectionClosed: Observable<ClosedConnection> { engine.recorder.closedStream.asObservable() }

    /// Forgets the recorded requests; the counts go on.
    public func forgetRequests() { engine.recorder.forgetRequests() }

    /// What it has seen since it was made.
    public var counts: ServerCounts { engine.recorder.counts }
}
