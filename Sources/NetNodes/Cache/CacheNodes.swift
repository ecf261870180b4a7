public import Streams

/// Responds to a request from a cache. If nothing is stored it fails with ``CacheError/miss(url:)``.
///
/// Operator: ``Streams/ObservableType/cached(in:varying:)``.
public struct URLCacheReaderNode<Output: Sendable>: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for the storing node.
    ///   - next: processes the response, for example parses it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPResponse, Output>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        .logging { [cache, varying, next] log in
            cache.response(to: input, varying: varying).flatMap { response in
                guard let response else {
                    log.note(.debug, "URLCacheReaderNode", "no stored response for \(redacted(input.url))")
                    throw CacheError.miss(url: redacted(input.url))
                }
                log.note(.info, "URLCacheReaderNode", "\(redacted(input.url)) served from the cache, \(response.body.count) bytes")
                return next.stream(response.response(to: input))
            }
        }
    }
}

/// Stores every cacheable response, and forwards all responses.
///
/// A response is forwarded immediately; the stream completes when it has been stored. A store operation continues after a disposal. A
/// failure to store is logged and is not an error. Operator: ``Streams/ObservableType/storing(in:for:varying:)``.
public struct URLCacheWriterNode: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for the reading node.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        next.stream(input).storing(in: cache, for: input, varying: varying)
    }
}

extension ResponseCache {
    /// Emits the stored response that matches a request, or `nil`.
    func response(to request: HTTPRequest, varying: [String]) -> Observable<CachedResponse?> {
        guard request.isCacheable else { return .just(nil) }
        return response(for: CacheKey(request, varying: varying)).map { stored in
            stored.flatMap { $0.answers(request) ? $0 : nil }
        }
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits the stored response to each request; fails with ``CacheError/miss(url:)`` if there is none.
    public func cached(in cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders) -> Observable<HTTPResponse> {
        through(URLCacheReaderNode(cache: cache, varying: varying, next: AnyNode { .just($0) }), .concat)
    }
}

extension ObservableType<HTTPResponse> {
    /// Stores the cacheable responses to `request` and forwards all responses immediately.
    public func storing(
        in cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CacheKey.usualHeaders
    ) -> Observable<HTTPResponse> {
        storing(in: cache, for: request, varying: varying, as: "URLCacheWriterNode") { _ in true }
    }

    func storing(
        in cache: any ResponseCache, for request: HTTPRequest, varying: [String], as node: String,
        where isWanted: @escaping @Sendable (CachedResponse) -> Bool
    ) -> Observable<HTTPResponse> {
        let source = asObservable()
        return .logging { log in
            source.concatMap { response in
                guard let stored = CachedResponse(response, to: request), isWanted(stored) else { return Observable.just(response) }
                log.note(.debug, node, "stores \(stored.body.count) bytes of \(redacted(request.url))")
                let outcome = AsyncSubject<Void>()
                _ = cache.store(stored, for: CacheKey(request, varying: varying)).subscribe(outcome)
                return Observable.just(response).concat(
                    outcome.catch { error in
                        log.note(.warning, node, redactedDescription(of: error))
                        return .empty()
                    }.filter { _ in false }.map { _ in response })
            }
        }
    }
}
