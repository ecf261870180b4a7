import Streams

/// The routes of a running server.
final class SharedRouter: Sendable {
    private let router: Lock<Router>

    init(_ routes: [ServerRoute]) {
        router = Lock(Router(routes))
    }

    func add(_ routes: [ServerRoute]) {
        router.withLock { $0.add(routes) }
    }

    func responder(for request: ServerRequest) -> (ServerRequest, Responder) {
        let router = router.withLock { $0 }
        return router.responder(for: request)
    }
}
