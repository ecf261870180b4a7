public import Streams

/// Creates a request conditional: adds `If-None-Match` with the stored `ETag`, and `If-Modified-Since` with the stored `Last-Modified`,
/// unless the request has one of them already.
///
/// Operator: ``Streams/ObservableType/conditional(on:varying:)``.
public struct ETagReaderNode<Output: Sendable>: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, Output>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        .logging { [cache, varying, next] log in
            cache.stored(for: input, varying: varying, log, as: "ETagReaderNode").flatMap { stored in
                next.stream(stored.map(input.conditional(on:)) ?? input)
            }
        }
    }
}

/// Stores the responses that have an `ETag` or a `Last-Modified`, so that the next request can be conditional.
///
/// Otherwise like ``URLCacheWriterNode``. Operator: ``Streams/ObservableType/storing(in:for:varying:)``.
public struct ETagSaverNode: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagReaderNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        next.stream(input).storing(in: cache, for: input, varying: varying, as: "ETagSaverNode") { response in
            response.headers["ETag"] != nil || response.headers["Last-Modified"] != nil
        }
    }
}

/// Replaces a 304 by the stored response.
///
/// If the stored response was removed meanwhile, the request is repeated without its conditions. Operator:
/// ``Streams/ObservableType/replacingNotModified(from:for:varying:)``.
public struct NotModifiedTriggerNode: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        .logging { [cache, varying, next] log in
            next.stream(input).concatMap { response in
                guard response.status == 304 else { return Observable.just(response) }
                return cache.stored(for: input, varying: varying, log, as: "NotModifiedTriggerNode").flatMap { stored in
                    guard let stored else { return next.stream(input.removingConditions) }
                    log.note(.info, "NotModifiedTriggerNode", "\(redacted(input.url)) has not changed")
                    return Observable.just(stored.refreshed(by: response, to: input))
                }
            }
        }
    }
}

extension ResponseCache {
    /// Emits the stored response; nothing if the cache fails, because the network's response follows.
    fileprivate func stored(
        for request: HTTPRequest, varying: [String], _ log: NodeLog, as node: String
    ) -> Observable<CachedResponse?> {
        response(to: request, varying: varying).catch { error in
            log.note(.warning, node, redactedDescription(of: error))
            return .just(nil)
        }
    }
}

extension HTTPRequest {
    /// Returns this request, conditional on the stored response.
    fileprivate func conditional(on stored: CachedResponse) -> HTTPRequest {
        var request = self
        guard headers["If-None-Match"] == nil, headers["If-Modified-Since"] == nil else { return self }
        if let tag = stored.headers["ETag"] { request.headers.append("If-None-Match", tag) }
        if let date = stored.headers["Last-Modified"] { request.headers.append("If-Modified-Since", date) }
        return request
    }

    fileprivate var removingConditions: HTTPRequest {
        var request = self
        for name in ["If-None-Match", "If-Modified-Since"] { request.headers.removeAll(name) }
        return request
    }
}

extension CachedResponse {
    /// Returns this response updated by the headers of a 304.
    fileprivate func refreshed(by response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        let told = HTTPHeaders(response.headers.filter { !$0.name.lowercased().hasPrefix("content-") && !SecretNames.contains($0.name) })
        var whole = self.response(to: request)
        whole.head.headers = headers.merging(told)
        whole.metrics = response.metrics
        return whole
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits each request, made conditional on its stored response.
    public func conditional(on cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders) -> Observable<HTTPRequest> {
        through(ETagReaderNode(cache: cache, varying: varying, next: AnyNode { .just($0) }), .concat)
    }
}

extension ObservableType<HTTPResponse> {
    /// Emits the stored response to `request` instead of each 304; a 304 without a stored response is forwarded.
    public func replacingNotModified(
        from cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CacheKey.usualHeaders
    ) -> Observable<HTTPResponse> {
        concatMap { response in
            guard response.status == 304 else { return Observable.just(response) }
            return cache.response(to: request, varying: varying).map { $0?.refreshed(by: response, to: request) ?? response }
        }
    }
}
