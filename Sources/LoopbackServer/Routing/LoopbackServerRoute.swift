public import Foundation
public import Streams

extension LoopbackServer {
    /// A method, a path and the handler of its requests.
    ///
    /// Paths consist of literal segments, `:name` for one segment and a final `*` for the rest: `/quotes/:symbol`. Handlers run on the
    /// server's queue and must not block; slow work belongs in a streaming route on a scheduler of its own. If a handler throws, the
    /// response is 500.
    ///
    ///     let greeting = LoopbackServer.Route.get("/hello/:name") { request in .text("Hello, \(request.parameters["name"] ?? "you")") }
    ///         .with(.delay(.milliseconds(200)))
    public struct Route: Sendable {
        let method: String?
        let pattern: PathPattern
        let responder: Responder
        /// Whether the route consumes the body while it arrives.
        let isUpload: Bool

        init(method: String?, path: String, isUpload: Bool = false, responder: @escaping Responder) {
            self.init(method: method, pattern: PathPattern(path), isUpload: isUpload, responder: responder)
        }

        /// Creates a route for this method; `nil` means all.
        public static func on(
            _ method: String?, _ path: String, answer: @escaping @Sendable (Request) throws -> Response
        ) -> Route {
            Route(method: method, path: path) { request, reply in
                do {
                    reply(try answer(request))
                } catch {
                    reply(.text("\(error)\n", status: 500))
                }
                return {}
            }
        }

        /// Creates a route for GET, and for HEAD unless another route handles it.
        public static func get(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on("GET", path, answer: answer)
        }

        /// Creates a route for POST.
        public static func post(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on("POST", path, answer: answer)
        }

        /// Creates a route for PUT.
        public static func put(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on("PUT", path, answer: answer)
        }

        /// Creates a route for PATCH.
        public static func patch(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on("PATCH", path, answer: answer)
        }

        /// Creates a route for DELETE.
        public static func delete(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on("DELETE", path, answer: answer)
        }

        /// Creates a route for every method.
        public static func any(_ path: String, answer: @escaping @Sendable (Request) throws -> Response) -> Route {
            on(nil, path, answer: answer)
        }

        /// Returns this route with one more fault in each of its responses.
        public func with(_ fault: Fault) -> Route {
            adapting { _, response in response.with(fault) }
        }

        /// Returns this route with each of its responses transformed.
        public func adapting(_ change: @escaping @Sendable (Request, Response) -> Response) -> Route {
            changing { [responder] request, reply in
                responder(request) { reply(change(request, $0)) }
            }
        }

        /// Returns this route guarded by a check: a response from `check` is sent instead of the route's own.
        public func guarded(by check: @escaping @Sendable (Request) -> Response?) -> Route {
            changing { [responder] request, reply in
                guard let refusal = check(request) else { return responder(request, reply) }
                reply(refusal)
                return {}
            }
        }

        private func changing(_ responder: @escaping Responder) -> Route {
            Route(method: method, pattern: pattern, isUpload: isUpload, responder: responder)
        }

        private init(method: String?, pattern: PathPattern, isUpload: Bool, responder: @escaping Responder) {
            self.method = method
            self.pattern = pattern
            self.isUpload = isUpload
            self.responder = responder
        }
    }
}

extension LoopbackServer.Route {
    /// Creates a route that responds with the first response of a stream, on any thread and at any time.
    ///
    /// Responses with a status below 200 are sent as interim responses (such as 103 Early Hints), and the stream continues; the first other
    /// response is final. The stream is disposed when the client disconnects. If it fails, or completes without a response, the response is
    /// 500.
    public static func stream(
        _ method: String?, _ path: String, answer: @escaping @Sendable (LoopbackServer.Request) -> Observable<LoopbackServer.Response>
    ) -> LoopbackServer.Route {
        LoopbackServer.Route(method: method, path: path, responder: responder(answer))
    }

    /// Creates a route that consumes the body of a request while it arrives, and responds with the first response of a stream.
    ///
    ///     .upload("PUT", "/files/:name") { request, body in
    ///         body.reduce(0) { $0 + $1.count }.map { .text("\($0) bytes") }
    ///     }
    ///
    /// If the subscriber of the body is suspended, or there is none, no more than 256 KB are read ahead from the client's connection, so
    /// that the client waits; that does not count as idle time. The body may have any size, and has one subscriber at a time. It fails with
    /// ``LoopbackServer/InterruptedUpload`` if it does not arrive completely. A response before its end closes the connection. Otherwise
    /// like ``stream(_:_:answer:)``. The request is recorded when its header has arrived, without its body.
    public static func upload(
        _ method: String?, _ path: String,
        answer: @escaping @Sendable (LoopbackServer.Request, Observable<Data>) -> Observable<LoopbackServer.Response>
    ) -> LoopbackServer.Route {
        LoopbackServer.Route(
            method: method, path: path, isUpload: true,
            responder: responder { request in
                // A request without a body is received at once, and has no upload.
                answer(request, request.upload?.bytes ?? .empty())
            })
    }

    private static func responder(_ answer: @escaping @Sendable (LoopbackServer.Request) -> Observable<LoopbackServer.Response>)
        -> Responder
    {
        { request, reply in
            let subscription = answer(request)
                .map { response in
                    reply(response)
                    // Throwing terminates a source that would otherwise never return from its subscription.
                    guard response.status < 200 else { throw Answered() }
                }
                .subscribe(
                    onNext: { _ in },
                    onError: { error in if !(error is Answered) { reply(.text("\(error)\n", status: 500)) } },
                    onCompleted: { reply(.text("The route completed without a response.\n", status: 500)) })
            return { subscription.dispose() }
        }
    }

    private struct Answered: Error {}
}
