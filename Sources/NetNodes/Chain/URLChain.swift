public import Dispatch
public import Foundation
public import Streams

/// The type-level stage of a ``URLChain`` without a route.
public enum Unrouted: Sendable {}

/// The type-level stage of a ``URLChain`` with a route: its output can be defined.
public enum Routed: Sendable {}

/// Builds the standard chain of nodes in a few lines, in the order of processing.
///
/// ```swift
/// let users = URLChain(transport: .shared)
///     .route(.get, "https://example.com/users")
///     .query(["stack": "left"])
///     .output([User].self)                       // a Node<Void, [User]>
///
/// users.stream().subscribe(onNext: { print($0) }).disposed(by: bag)
/// ```
///
/// A chain is a value: `base.route(...)` does not change `base`. Mistakes that the types cannot prevent are errors of the stream, and never
/// crashes.
public struct URLChain<Stage, Input: Sendable>: Sendable {
    var settings: ChainSettings
    /// Makes the body of a request; called for each subscription.
    var makeBody: @Sendable (Input, OperationLog.Notes) throws -> any RequestBodyConvertible
}

extension URLChain where Stage == Unrouted, Input == Void {
    /// Creates a chain without a route and without an input.
    public init(transport: any Transport) {
        self.init(settings: ChainSettings(transport: transport)) { _, _ in JSON.null }
    }

    /// Creates a chain on the default transport of the platform.
    public init(transport: DefaultTransport = .shared) {
        self.init(transport: transport as any Transport)
    }
}

extension URLChain where Stage == Unrouted {
    /// Sets the destination: a URL, its text, or a custom type that enumerates endpoints.
    public func route(_ method: HTTPRequest.Method, _ route: any URLRouteProvider) -> URLChain<Routed, Input> {
        var settings = settings
        settings.method = method
        settings.route = FixedRoute(of: route) ?? route
        return URLChain<Routed, Input>(settings: settings, makeBody: makeBody)
    }
}

extension URLChain {
    /// Adds a query, in addition to those of the route and of earlier calls.
    public func query(_ values: JSON) -> Self { query(URLQuery(values)) }

    /// Adds a query with its own encoding.
    public func query(_ query: URLQuery) -> Self { changing { $0.queries.append(.success(query)) } }

    /// Adds a query of values that are not literals, such as `["q": text, "page": page]`. A `nil` value is left out.
    ///
    /// A value that cannot be encoded is an error of the stream.
    @_disfavoredOverload
    public func query(_ values: KeyValuePairs<String, any Encodable & Sendable>) -> Self {
        changing { $0.queries.append(Result { URLQuery(.object(try JSON.Object(encoding: values))) }) }
    }

    /// Adds a query from an encodable value.
    public func query(encoding value: some Encodable) throws -> Self { query(try JSON(encoding: value)) }

    /// Adds headers; if two have the same name, the later one wins.
    public func headers(_ headers: HTTPHeaders) -> Self { changing { $0.completion.providers.append(headers) } }

    /// Adds header providers, which are called for each request; if two headers have the same name, the later one wins.
    public func headers(_ providers: any HeaderProvider...) -> Self { changing { $0.completion.providers += providers } }

    /// Adds metadata, which HTTP transmits as headers.
    public func metadata(_ metadata: [String: String]) -> Self { changing { $0.metadata.merge(metadata) { $1 } } }

    /// Sets the encoding of the input.
    public func encoding(_ encoding: HTTPRequest.Encoding) -> Self { changing { $0.encoding = encoding } }

    /// Sets the total timeout of a request.
    public func timeout(_ total: Duration) -> Self {
        changing {
            $0.completion.timeouts = HTTPRequest.Timeouts(
                connect: $0.completion.timeouts?.connect ?? min(total, .seconds(15)), total: total)
        }
    }

    /// Sets all timeouts of a request.
    public func timeouts(_ timeouts: HTTPRequest.Timeouts) -> Self { changing { $0.completion.timeouts = timeouts } }

    /// Sets the maximum size of a response body after decompression, in bytes. A longer body fails with
    /// `TransportError.bodyTooLarge(limit:url:)`.
    ///
    /// By default at most 64 MB are collected in memory, and events, lines and downloads are unlimited.
    public func maximumBodySize(_ bytes: Int) -> Self {
        changing { $0.completion.limits = $0.completion.limits.with(\.maximumBodySize, bytes) }
    }

    /// Sets the maximum size of a response header in bytes, by default 256 KB. A longer header fails with
    /// `TransportError.malformedResponse`.
    public func maximumHeaderSize(_ bytes: Int) -> Self {
        changing { $0.completion.limits = $0.completion.limits.with(\.maximumHeaderSize, bytes) }
    }

    /// Discards the bodies of successful responses, if status, headers and metrics suffice. Of an unsuccessful response, 64 KB are kept.
    ///
    /// Nothing is discarded if a middleware of your own or an adapter could use the responses, or a cache stores them.
    public func discardingBodies() -> Self { changing { $0.discardsBodies = true } }

    /// Sets the handling of redirects.
    public func redirects(_ redirects: HTTPRequest.Redirects) -> Self { changing { $0.completion.redirects = redirects } }

    /// Repeats a request that is rejected, with a new token, for any output except `transfer`; see `refreshing(with:when:)`.
    public func refreshingAccess(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Self {
        changing { $0.access = (refresher, statuses) }
    }

    /// Counts the running requests.
    public func trackActivity(_ indicator: LoadIndicator) -> Self { changing { $0.indicator = indicator } }

    /// Subscribes in the background and delivers on the main loop, even to the listeners of a context that are registered after its
    /// outcome. Use it for chains that belong to a view.
    public func deliverOnMain() -> Self { changing { $0.delivery = MainScheduler.instance } }

    /// Passes the log of each request to `sink`, one call per request; see `logged(_:to:)`.
    public func log(_ filter: OperationLog.Filter = .from(.debug), to sink: @escaping @Sendable (OperationLog) -> Void) -> Self {
        changing { $0.log = (filter, sink) }
    }

    /// Determines the error of a response, or `nil` for none, in place of ``HTTPError``.
    ///
    /// For a status from 400 on, the closure is called when the last attempt has ended: the middlewares receive the ``HTTPError``, so that
    /// access is refreshed and transient errors are retried.
    public func httpErrors(_ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)?) -> Self {
        changing { $0.makeError = makeError }
    }

    /// Sets the decoder of responses, by default `JSONDecoder.snakeCaseConverting`, which is also the default of `decode(as:)`. One decoder
    /// decodes many responses, even concurrently; `makeDecoder` is called for each output or subscription.
    public func decoder(_ makeDecoder: @escaping @Sendable () -> JSONDecoder) -> Self { changing { $0.makeDecoder = makeDecoder } }

    func changing(_ change: (inout ChainSettings) -> Void) -> Self {
        var chain = self
        change(&chain.settings)
        return chain
    }
}

extension HTTPRequest.Limits? {
    fileprivate func with<Value>(_ limit: WritableKeyPath<HTTPRequest.Limits, Value>, _ value: Value) -> HTTPRequest.Limits {
        var limits = self ?? HTTPRequest.Limits()
        limits[keyPath: limit] = value
        return limits
    }
}

extension URLChain {
    /// Shows the values that these names have in queries, in the logs and errors of the chain: `page`, if a service must tell which page
    /// failed. By default each value is `***`. Values that are secret, or whose names are (`SecretNames`), remain so.
    public func showingQuery(of names: String...) -> Self { showingQuery(of: Set(names)) }

    /// Shows the values that these names have in queries.
    public func showingQuery(of names: Set<String>) -> Self { changing { $0.completion.shownQuery.formUnion(names) } }

    /// Adds the cookies of a jar to each request, and keeps those that servers set, also with redirects and with responses that fail. Without
    /// this call no cookie is kept.
    ///
    /// A `Cookie` field of the request remains, and cookies of the jar with one of its names are not sent. Cookies are part of the key of a
    /// stored response.
    public func cookies(_ jar: CookieJar) -> Self { changing { $0.cookies = jar } }

    /// Retries a failed request, for any output; see `retrying(_:repeatsUnsafeMethods:scheduler:)`.
    ///
    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: runs the delays.
    public func retry(
        _ policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Self {
        inserting(
            HTTPMiddleware(
                .retrying(policy, repeatsUnsafeMethods: repeatsUnsafeMethods, scheduler: scheduler), [.ignoresBody, .networkOnly]))
    }

    /// Allows requests to be aborted externally at any stage, even during a refresh of the token and between two attempts, wherever you
    /// write this call.
    public func abortable(by aborter: Aborter) -> Self { changing { $0.aborters.append(aborter) } }

    /// Rejects requests while `breaker` is open. Inside a `retry` each attempt counts. `RetryPolicy.isTransient` distinguishes failures of
    /// the server from others: `CircuitBreaker(..., isFailure: RetryPolicy.isTransient)`.
    public func circuitBreaker(_ breaker: CircuitBreaker) -> Self { guarding("CircuitBreaker") { $1.circuitBreaker(breaker) } }

    /// Delays or rejects requests beyond the limit. Inside a `retry` each attempt takes a token.
    public func rateLimit(_ limiter: RateLimiter) -> Self { guarding("RateLimiter") { $1.rateLimit(limiter) } }

    /// Bounds the number of concurrent requests. Inside a `retry` a request has no permit during the delay between two attempts.
    public func bulkhead(_ bulkhead: Bulkhead) -> Self { guarding("Bulkhead") { $1.bulkhead(bulkhead) } }

    /// Sends a slow request a second time, if its method is idempotent, and uses the response that arrives first. An output that is read
    /// while it is received (events, lines, downloads) is not hedged.
    public func hedge(_ hedging: Hedging) -> Self {
        guarding("Hedging", .wholeResponsesOnly) { $0.mayBeRepeated() ? $1.hedge(hedging) : $1 }
    }

    /// Inserts a policy for sent requests: it changes no request and needs no body.
    private func guarding(
        _ name: String, _ options: HTTPMiddleware.Options = [],
        _ apply: @escaping @Sendable (HTTPRequest, Observable<HTTPResponse>) -> Observable<HTTPResponse>
    ) -> Self {
        inserting(HTTPMiddleware(Step(name) { apply($0, $1($0)) }, options.union([.ignoresBody, .networkOnly])))
    }
}
