import Streams

/// Finds the route for a request: the one with the most specific path, and of equals the one added last.
struct Router: Sendable {
    private var routes: [ServerRoute] = []

    init(_ routes: [ServerRoute] = []) {
        add(routes)
    }

    mutating func add(_ more: [ServerRoute]) {
        for route in more {
            let position = routes.firstIndex { $0.pattern.closeness <= route.pattern.closeness } ?? routes.endIndex
            routes.insert(route, at: position)
        }
    }

    /// Returns the responder and the request with the parameters of its path; 400, 404, 405 and `OPTIONS` are handled here.
    func responder(for request: ServerRequest) -> (ServerRequest, Responder) {
        guard let path = request.pathSegments else {
            return (request, Self.always(.text("The escapes in the path are wrong.\n", status: 400)))
        }
        let matches = routes.compactMap { route in route.pattern.match(path).map { (route, $0) } }
        let wanted = request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
        for method in wanted {
            guard let (route, parameters) = matches.first(where: { $0.0.method == nil || $0.0.method == method }) else { continue }
            var request = request
            request.parameters = parameters
            return (request, route.responder)
        }
        return (request, Self.always(unanswered(request, allowed: matches.compactMap(\.0.method))))
    }

    private func unanswered(_ request: ServerRequest, allowed: [String]) -> ServerResponse {
        let methods = allowed.isEmpty && request.target == "*" ? routes.compactMap(\.method) : allowed
        guard !methods.isEmpty else { return .text("Not found: \(request.path)\n", status: 404) }
        let implied = methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]
        let allow = Set(methods + implied).sorted().joined(separator: ", ")
        let response: ServerResponse =
            request.method == "OPTIONS" ? .empty() : .text("\(request.method) is not allowed here.\n", status: 405)
        return response.header("Allow", allow)
    }

    private static func always(_ response: ServerResponse) -> Responder {
        { _, reply in
            reply(response)
            return {}
        }
    }
}

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
