public import Streams

/// Answers a request from a cache. Where nothing is stored it fails with ``CacheError/miss(url:)``.
///
/// Operator: ``Streams/ObservableType/cached(in:varying:)``.
public struct URLCacheReaderNode<Output: Sendable>: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - varying: the request headers that make a difference; the same as for the node that stores.
    ///   - next: what is done with a response, such as parsing it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPResponse, Output>) {
        self.cache = cache
        self.varying = varying
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        .logging { [cache, varying, next] log in
            cache.response(to: input, varying: varying).flatMap { response in
                guard let response else {
                    log.note(.debug, "URLCacheReaderNode", "nothing is stored for \(redacted(input.url))")
                    throw CacheError.miss(url: redacted(input.url))
                }
                log.note(.info, "URLCacheReaderNode", "\(redacted(input.url)) comes from the cache, \(response.body.count) bytes")
                return next.stream(response.response(to: input))
            }
        }
    }
}

/// Stores every response that may be stored, and hands all of them on.
///
/// The response goes on at once; the end of the stream waits until it is stored. What is being stored is stored also if nobody waits any
/// more. That it could not be stored is noted in the request's log and no error. Operator: ``Streams/ObservableType/storing(in:for:varying:)``.
public struct URLCacheWriterNode: Node {
    private let cache: any ResponseCache
    private let varying: [String]
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameter varying: the request headers that make a difference; the same as for the node that reads.
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
    /// What is stored for a request and answers it.
    func response(to request: HTTPRequest, varying: [String]) -> Observable<CachedResponse?> {
        guard request.isCacheable else { return .just(nil) }
        return response(for: CacheKey(request, varying: varying)).map { stored in
            stored.flatMap { $0.answers(request) ? $0 : nil }
        }
    }
}

extension ObservableType<HTTPRequest> {
    /// The stored response to each request; ``CacheError/miss(url:)`` where there is none.
    public func cached(in cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders) -> Observable<HTTPResponse> {
        let reader = URLCacheReaderNode(cache: cache, varying: varying, next: AnyNode { Observable.just($0) })
        return concatMap { reader.stream($0) }
    }
}

extension ObservableType<HTTPResponse> {
    /// Stores the responses to `request` that may be stored, and sends all of them on at once.
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
