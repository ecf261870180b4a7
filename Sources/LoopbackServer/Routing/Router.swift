import Streams

/// Finds the route for a request: the one with the most specific path, and among equals the one that was added last.
struct Router: Sendable {
    private var routes: [LoopbackServer.Route] = []

    init(_ routes: [LoopbackServer.Route] = []) {
        add(routes)
    }

    mutating func add(_ more: [LoopbackServer.Route]) {
        for route in more {
            let position = routes.firstIndex { $0.pattern.closeness <= route.pattern.closeness } ?? routes.endIndex
            routes.insert(route, at: position)
        }
    }

    /// Returns the responder and the request with the parameters of its path; 400, 404, 405 and `OPTIONS` are handled here.
    func responder(for request: LoopbackServer.Request) -> (LoopbackServer.Request, Responder) {
        guard let path = request.pathSegments else {
            return (request, Self.always(.text("The escapes in the path are wrong.\n", status: 400)))
        }
        let matches = matches(path)
        guard let (route, parameters) = Self.choose(from: matches, request.method) else {
            return (request, Self.always(unanswered(request, allowed: matches.compactMap(\.0.method))))
        }
        var request = request
        request.parameters = parameters
        return (request, route.responder)
    }

    /// Whether the route for a request consumes its body while it arrives.
    func isUpload(_ head: MessageHead) -> Bool {
        guard let path = PercentCoding.segments(of: head.path) else { return false }
        return Self.choose(from: matches(path), head.method)?.0.isUpload ?? false
    }

    private func matches(_ path: [String]) -> [(LoopbackServer.Route, [String: String])] {
        routes.compactMap { route in route.pattern.match(path).map { (route, $0) } }
    }

    private static func choose(from matches: [(LoopbackServer.Route, [String: String])], _ method: String) -> (
        LoopbackServer.Route, [String: String]
    )? {
        let wanted = method == "HEAD" ? ["HEAD", "GET"] : [method]
        return wanted.lazy.compactMap { method in matches.first { $0.0.method == nil || $0.0.method == method } }.first
    }

    private func unanswered(_ request: LoopbackServer.Request, allowed: [String]) -> LoopbackServer.Response {
        let methods = allowed.isEmpty && request.target == "*" ? routes.compactMap(\.method) : allowed
        guard !methods.isEmpty else { return .text("Not found: \(request.path)\n", status: 404) }
        let implied = methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]
        let allow = Set(methods + implied).sorted().joined(separator: ", ")
        let response: LoopbackServer.Response =
            request.method == "OPTIONS" ? .empty() : .text("\(request.method) is not allowed here.\n", status: 405)
        return response.header("Allow", allow)
    }

    private static func always(_ response: LoopbackServer.Response) -> Responder {
        { _, reply in
            reply(response)
            return {}
        }
    }
}

/// The routes of a running server.
final class SharedRouter: Sendable {
    private let router: Lock<Router>

    init(_ routes: [LoopbackServer.Route]) {
        router = Lock(Router(routes))
    }

    func add(_ routes: [LoopbackServer.Route]) {
        router.withLock { $0.add(routes) }
    }

    func responder(for request: LoopbackServer.Request) -> (LoopbackServer.Request, Responder) {
        let router = router.withLock { $0 }
        return router.responder(for: request)
    }

    func isUpload(_ head: MessageHead) -> Bool {
        let router = router.withLock { $0 }
        return router.isUpload(head)
    }
}
