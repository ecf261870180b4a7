/// A method, a path and what answers there.
///
/// Paths are literal segments, `:name` for one segment and a final `*` for the rest: `/quotes/:symbol`. Handlers run on the server's queue and must
/// not block; slow work belongs into a streaming route that moves to a scheduler of its own. A handler that throws is answered with 500.
///
///     let greeting = ServerRoute.get("/hello/:name") { request in .text("Hello, \(request.parameters["name"] ?? "you")") }
///         .with(.delay(.milliseconds(200)))
public struct ServerRoute: Sendable {
    let method: String?
    let pattern: PathPattern
    let responder: Responder

    init(method: String?, path: String, responder: @escaping Responder) {
        self.method = method
        pattern = PathPattern(path)
        self.responder = responder
    }

    /// Answers requests of this method; `nil` means all.
    public static func on(
        _ method: String?, _ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse
    ) -> ServerRoute {
        ServerRoute(method: method, path: path) { request, reply in
            do {
                reply(try answer(request))
            } catch {
                reply(.text("\(error)\n", status: 500))
            }
            return {}
        }
    }

    /// Answers GET, and HEAD where no route of its own does.
    public static func get(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on("GET", path, answer: answer)
    }

    /// Answers POST.
    public static func post(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on("POST", path, answer: answer)
    }

    /// Answers PUT.
    public static func put(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on("PUT", path, answer: answer)
    }

    /// Answers PATCH.
    public static func patch(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on("PATCH", path, answer: answer)
    }

    /// Answers DELETE.
    public static func delete(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on("DELETE", path, answer: answer)
    }

    /// Answers every method.
    public static func any(_ path: String, answer: @escaping @Sendable (ServerRequest) throws -> ServerResponse) -> ServerRoute {
        on(nil, path, answer: answer)
    }

    /// The same route, each of its responses with one more fault.
    public func with(_ fault: Fault) -> ServerRoute {
        adapting { _, response in response.with(fault) }
    }

    /// The same route, each of its responses changed.
    public func adapting(_ change: @escaping @Sendable (ServerRequest, ServerResponse) -> ServerResponse) -> ServerRoute {
        changing { [responder] request, reply in
            responder(request) { reply(change(request, $0)) }
        }
    }

    /// The same route behind a check: a response from `check` is sent in place of the route's own.
    public func guarded(by check: @escaping @Sendable (ServerRequest) -> ServerResponse?) -> ServerRoute {
        changing { [responder] request, reply in
            guard let refusal = check(request) else { return responder(request, reply) }
            reply(refusal)
            return {}
        }
    }

    private func changing(_ responder: @escaping Responder) -> ServerRoute {
        ServerRoute(method: method, pattern: pattern, responder: responder)
    }

    private init(method: String?, pattern: PathPattern, responder: @escaping Responder) {
        self.method = method
        self.pattern = pattern
        self.responder = responder
    }
}
