public import Streams

/// Responds to a request from a cache. If nothing is stored it fails with ``CacheError/miss(url:)``.
///
/// Operator: ``Streams/ObservableType/cached(in:varying:)``.
public struct URLCacheReaderNode<Output: Sendable>: Node {
    private let store: ResponseStore
    private let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for the storing node.
    ///   - next: processes the response, for example parses it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPResponse, Output>) {
        store = ResponseStore(cache: cache, varying: varying)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        store.read(input).flatMap { [next] in next.stream($0) }
    }
}

/// Stores every cacheable response, and forwards all responses.
///
/// A response is forwarded immediately; the stream completes when it has been stored. A store operation continues after a disposal. A
/// failure to store is logged and is not an error. Operator: ``Streams/ObservableType/storing(in:for:varying:)``.
public struct URLCacheWriterNode: Node {
    private let store: ResponseStore
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for the reading node.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        store = ResponseStore(cache: cache, varying: varying)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        store.saving(next.stream(input), to: input)
    }
}

/// Stores the responses that have an `ETag` or a `Last-Modified`, so that the next request can be conditional.
///
/// Otherwise like ``URLCacheWriterNode``. Operator: ``Streams/ObservableType/storing(in:for:varying:)``.
public struct ETagSaverNode: Node {
    private let store: ResponseStore
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagReaderNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        store = ResponseStore(cache: cache, varying: varying)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        store.savingValidated(next.stream(input), to: input)
    }
}

/// Makes a request conditional: adds `If-None-Match` with the stored `ETag`, and `If-Modified-Since` with the stored `Last-Modified`,
/// unless the request has one of them already.
///
/// Operator: ``Streams/ObservableType/conditional(on:varying:)``.
public struct ETagReaderNode<Output: Sendable>: Node {
    private let store: ResponseStore
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, Output>) {
        store = ResponseStore(cache: cache, varying: varying)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        store.conditional(input) { [next] in next.stream($0) }
    }
}

/// Replaces a 304 by the stored response.
///
/// If the stored response was removed meanwhile, the request is repeated without its conditions. Operator:
/// ``Streams/ObservableType/replacingNotModified(from:for:varying:)``.
public struct NotModifiedTriggerNode: Node {
    private let store: ResponseStore
    private let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        store = ResponseStore(cache: cache, varying: varying)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<HTTPResponse> {
        store.replacingNotModified(input) { [next] in next.stream($0) }
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits the stored response to each request; fails with ``CacheError/miss(url:)`` if there is none.
    public func cached(in cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders) -> Observable<HTTPResponse> {
        concatMap(ResponseStore(cache: cache, varying: varying).read)
    }

    /// Emits each request, made conditional on its stored response.
    public func conditional(on cache: any ResponseCache, varying: [String] = CacheKey.usualHeaders) -> Observable<HTTPRequest> {
        let store = ResponseStore(cache: cache, varying: varying)
        return concatMap { request in store.conditional(request) { .just($0) } }
    }
}

extension ObservableType<HTTPResponse> {
    /// Stores the cacheable responses to `request` and forwards all responses immediately.
    public func storing(
        in cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CacheKey.usualHeaders
    ) -> Observable<HTTPResponse> {
        ResponseStore(cache: cache, varying: varying).saving(asObservable(), to: request)
    }

    /// Emits the stored response to `request` instead of each 304; a 304 without a stored response is forwarded.
    public func replacingNotModified(
        from cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CacheKey.usualHeaders
    ) -> Observable<HTTPResponse> {
        ResponseStore(cache: cache, varying: varying).replacingNotModified(asObservable(), to: request)
    }
}
