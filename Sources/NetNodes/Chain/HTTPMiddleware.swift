public import Streams

extension HTTPMiddleware {
    /// Sends a request and emits its response, usually one: the rest of a chain, as a middleware calls it.
    public typealias Rest = @Sendable (HTTPRequest) -> Observable<HTTPResponse>
}

/// A step between a request and its response: a function of the request and of the rest of the chain.
///
/// ```swift
/// let signing = HTTPMiddleware("Signing") { request, next in next(signed(request)) }
/// let timing = HTTPMiddleware("Timing") { request, next in next(request).do(onNext: { print($0.metrics as Any) }) }
///
/// let chain = URLChain().inserting(signing).inserting(timing, inside: .mapHTTPErrors)
/// ```
///
/// The operators of streams do the work: `next(request).retry(policy)`, `.timeout(.seconds(5), scheduler: scheduler)`, `.catch { ... }`,
/// `.concat(...)`.
///
/// An output that is read while it is received (events, lines, a download) also passes a middleware outside of the check of the status, as
/// a response without a body: `next(request)` emits each head that is received, and completes when the output is complete.
public struct HTTPMiddleware: Sendable {
    /// The name in `URLChain.description`.
    public var name: String { step.name }

    let step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>
    let options: Options

    /// Creates a middleware of a step, such as `HTTPMiddleware(.retrying())`.
    ///
    /// - Parameters:
    ///   - step: a step between requests and responses; it returns a cold stream.
    ///   - options: where the middleware is not needed, and which parts of a response it does not use.
    public init(_ step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>, _ options: Options = []) {
        (self.step, self.options) = (step, options)
    }

    /// - Parameters:
    ///   - name: the name in the description of a chain.
    ///   - options: where the middleware is not needed, and which parts of a response it does not use.
    ///   - exchange: returns the response to a request, usually by calling `next` with it. It is called for each subscription, and so for
    ///     each attempt of an outer step; if it throws, the exchange fails with that error.
    public init(
        _ name: String, _ options: Options = [],
        _ exchange: @escaping @Sendable (_ request: HTTPRequest, _ next: @escaping Rest) throws -> Observable<HTTPResponse>
    ) {
        self.init(Step(name) { request, next in .deferred { try exchange(request, next) } }, options)
    }
}

extension HTTPMiddleware {
    /// The cases in which a middleware is not needed, and the parts of a response that it does not use. By default a middleware is around
    /// every response and may use its body.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The middleware does not use the bodies of successful responses: `void` and `discardingBodies()` discard them.
        public static let ignoresBody = Options(rawValue: 1)
        /// The middleware is only around the network: a stored response from a cache does not pass it.
        public static let networkOnly = Options(rawValue: 2)
        /// The middleware is not around outputs that are read while they are received. Examples are a timeout until the end of the
        /// response, or a middleware that sends a request twice or responds itself.
        public static let wholeResponsesOnly = Options(rawValue: 4)
    }

    /// A position in a chain. The cases are in the order of the chain, from the outermost to the innermost.
    public enum Position: Int, Sendable, CaseIterable {
        /// Repeats a rejected request with a new token, if the chain has access that can be refreshed.
        case refreshing
        /// Completes the request: header providers, timeouts, limits, redirects.
        case completing
        /// Steps on the complete request: retry, resilience policies, adapters of requests, and your own steps.
        case request
        /// Maps the errors of the transport to ``TechnicalError``.
        case mapTechnicalErrors
        /// Checks the response: outside of it, a status from 400 on is an ``HTTPError``, for any output of the chain. Middlewares outside
        /// of it are around outputs that are read while they are received, too.
        case mapHTTPErrors
        /// Adapters of responses, and metrics.
        case response
        /// Stores responses, makes requests conditional, and replaces a 304, if the chain has a cache. Middlewares inside of it change
        /// requests after the key of the stored response has been determined, so add credentials outside of it.
        case cache
    }

    /// The middlewares that are inserted around those of a position, or replace them.
    struct Edits: Sendable {
        var outside: [HTTPMiddleware] = []
        var replacement: HTTPMiddleware?
        var inside: [HTTPMiddleware] = []
    }
}

extension URLChain {
    /// Inserts a middleware at ``HTTPMiddleware/Position/request``, inside the steps that were added there earlier, such as `retry(_:)`.
    public func inserting(_ middleware: HTTPMiddleware) -> Self { changing { $0.requestSteps.append(middleware) } }

    /// Inserts a middleware directly outside of a position, inside those inserted there earlier.
    public func inserting(_ middleware: HTTPMiddleware, outside position: HTTPMiddleware.Position) -> Self {
        changing { $0.edits[position, default: HTTPMiddleware.Edits()].outside.append(middleware) }
    }

    /// Inserts a middleware directly inside of a position, inside those inserted there earlier.
    public func inserting(_ middleware: HTTPMiddleware, inside position: HTTPMiddleware.Position) -> Self {
        changing { $0.edits[position, default: HTTPMiddleware.Edits()].inside.append(middleware) }
    }

    /// Replaces the middleware that the chain has at a position, but not those that were inserted outside and inside of it.
    public func replacing(_ position: HTTPMiddleware.Position, with middleware: HTTPMiddleware) -> Self {
        changing { $0.edits[position, default: HTTPMiddleware.Edits()].replacement = middleware }
    }
}

extension [HTTPMiddleware] {
    /// Returns these middlewares around `send`; the first is the outermost.
    func around(_ send: @escaping HTTPMiddleware.Rest) -> HTTPMiddleware.Rest {
        reversed().reduce(send) { next, middleware in
            { [step = middleware.step] request in step.stream(request, next) }
        }
    }
}
