public import Streams

/// Sends a request and emits its response, usually one: the rest of a chain, as a middleware calls it.
public typealias HTTPExchange = @Sendable (HTTPRequest) -> Observable<HTTPResponse>

/// A step between a request and its response: a function of the request and of the rest of the chain.
///
/// ```swift
/// let signing = HTTPMiddleware("Signing") { request, next in next(signed(request)) }
/// let timing = HTTPMiddleware("Timing") { request, next in next(request).do(onNext: { report($0.metrics) }) }
///
/// let chain = api.inserting(signing).inserting(timing, inside: .responseHttpErrorProcessor)
/// ```
///
/// The operators of streams do the work: `next(request).timeout(.seconds(5))`, `.retry(policy)`, `.catch { ... }`, `.concat(...)`.
///
/// An output that is read while it is received (events, lines, a download) passes middlewares outside of the check of the status as a response
/// without a body, emitted with the first of its elements; those inside are for whole responses only.
public struct HTTPMiddleware: Sendable {
    /// Its name in `URLChain.description`.
    public let name: String

    let exchange: @Sendable (_ request: HTTPRequest, _ next: @escaping HTTPExchange) -> Observable<HTTPResponse>

    /// What the rest of the chain may take for granted.
    let traits: Traits

    /// - Parameters:
    ///   - name: its name in the description of a chain.
    ///   - exchange: returns the response to a request, usually by calling `next` with it. Called for each subscription, so for each attempt of
    ///     what is outside; if it throws, the exchange fails with that error.
    public init(
        _ name: String,
        _ exchange: @escaping @Sendable (_ request: HTTPRequest, _ next: @escaping HTTPExchange) throws -> Observable<HTTPResponse>
    ) {
        self.init(name, []) { request, next in .deferred { try exchange(request, next) } }
    }

    /// Creates a middleware whose closure returns a cold stream: it is called immediately, not for each subscription.
    init(
        _ name: String, _ traits: Traits,
        _ exchange: @escaping @Sendable (_ request: HTTPRequest, _ next: @escaping HTTPExchange) -> Observable<HTTPResponse>
    ) {
        self.name = name
        self.traits = traits
        self.exchange = exchange
    }
}

extension HTTPMiddleware {
    struct Traits: OptionSet {
        let rawValue: Int
        /// It does not use the body of a successful response, which can therefore be discarded.
        static let ignoresBody = Traits(rawValue: 1)
        /// It guards the network and changes no request, so that what is read from a cache needs no such step.
        static let isForNetwork = Traits(rawValue: 2)
        /// It may send a request twice at a time, which a body that is read while it is received does not allow.
        static let isForWholeResponses = Traits(rawValue: 4)
    }

    /// A position in a chain. The cases are in the order of the chain, from the outermost to the innermost.
    public enum Position: Int, Sendable, CaseIterable {
        /// Repeats a rejected request with a new token, if the chain has access that can be refreshed.
        case accessSafe
        /// Completes the request: header providers, timeouts, limits, redirects.
        case requestCreator
        /// Steps on the complete request: retry, resilience policies, adapters of requests, and one's own.
        case request
        /// Maps the errors of the transport to ``TechnicalError``.
        case technicalErrorMapper
        /// Checks the status of the response.
        case responseHttpErrorProcessor
        /// Adapters of responses, metrics.
        case response
        /// Stores responses, makes requests conditional, and replaces a 304, if the chain has a cache.
        case cache
        /// Sends the request: always the innermost.
        case requestSender

        /// Whether it applies to responses that are read while they are received, too.
        var appliesToStreams: Bool { rawValue <= Position.technicalErrorMapper.rawValue }
    }
}

/// The middlewares inserted around those of one position, or instead of them.
struct MiddlewareEdits: Sendable {
    var outside: [HTTPMiddleware] = []
    var replacement: HTTPMiddleware?
    var inside: [HTTPMiddleware] = []
}

extension URLChain {
    /// Inserts a middleware where the request is complete, inside those inserted earlier.
    public func inserting(_ middleware: HTTPMiddleware) -> Self { inserting(middleware, inside: .request) }

    /// Inserts a middleware directly outside of a position, inside those inserted there earlier.
    public func inserting(_ middleware: HTTPMiddleware, outside position: HTTPMiddleware.Position) -> Self {
        changing { $0.edits[position, default: MiddlewareEdits()].outside.append(middleware) }
    }

    /// Inserts a middleware directly inside of a position, inside those inserted there earlier; nothing is inside of the sender.
    public func inserting(_ middleware: HTTPMiddleware, inside position: HTTPMiddleware.Position) -> Self {
        guard position != .requestSender else { return inserting(middleware, outside: position) }
        return changing { $0.edits[position, default: MiddlewareEdits()].inside.append(middleware) }
    }

    /// Replaces what the chain has at a position; the rest of the chain need not be called.
    public func replacing(_ position: HTTPMiddleware.Position, with middleware: HTTPMiddleware) -> Self {
        changing { $0.edits[position, default: MiddlewareEdits()].replacement = middleware }
    }
}

extension [HTTPMiddleware] {
    /// Returns these middlewares, of which the first is the outermost, around `send`.
    func around(_ send: @escaping HTTPExchange) -> HTTPExchange {
        reversed().reduce(send) { next, middleware in
            { [exchange = middleware.exchange] request in exchange(request, next) }
        }
    }
}
