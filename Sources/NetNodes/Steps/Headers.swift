public import Streams

/// Provides headers when a request is about to be sent, such as a current token.
public protocol HeaderProvider: Sendable {
    /// Returns the headers. Called for each request, including retries. If it throws, the stream fails and nothing is sent.
    func headers() throws -> HTTPHeaders
}

extension HTTPHeaders: HeaderProvider {
    public func headers() -> HTTPHeaders { self }
}

/// What completes a request before it is sent.
struct RequestCompletion: Sendable {
    var providers: [any HeaderProvider] = []
    var timeouts: HTTPRequest.Timeouts?
    var redirects: HTTPRequest.Redirects?
    var limits: HTTPRequest.Limits?

    /// Passes the complete request on; fails with the error that a provider throws.
    func completing<Output: Sendable>(
        _ request: HTTPRequest, _ next: @escaping @Sendable (HTTPRequest) -> Observable<Output>
    ) -> Observable<Output> {
        var request = request
        request.timeouts = timeouts ?? request.timeouts
        request.redirects = redirects ?? request.redirects
        request.limits = limits ?? request.limits
        guard !providers.isEmpty else { return next(request) }
        return .deferred { [request, providers] in next(try request.adding(providers)) }
    }
}

extension HTTPMiddleware {
    static func completing(_ completion: RequestCompletion) -> HTTPMiddleware {
        HTTPMiddleware.cold("RequestCreatorNode", .ignoresBody) { completion.completing($0, $1) }
    }
}

/// Completes the request: calls the header providers for each request, of which the later wins, and sets timeouts, limits and redirects.
///
/// Operator: ``Streams/ObservableType/headers(from:)``.
public struct RequestCreatorNode<Output: Sendable>: Node {
    private let completion: RequestCompletion
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - providers: what is asked for headers, in this order.
    ///   - timeouts: the timeouts; `nil` keeps those of the request.
    ///   - redirects: the handling of redirects; `nil` keeps that of the request.
    ///   - limits: the limits of a response; `nil` keeps those of the request.
    ///   - next: the node after it.
    public init(
        providers: [any HeaderProvider] = [], timeouts: HTTPRequest.Timeouts? = nil, redirects: HTTPRequest.Redirects? = nil,
        limits: HTTPRequest.Limits? = nil, next: any Node<HTTPRequest, Output>
    ) {
        completion = RequestCompletion(providers: providers, timeouts: timeouts, redirects: redirects, limits: limits)
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        completion.completing(input) { [next] in next.stream($0) }
    }
}

/// Adds headers that a request does not have yet, such as a locale.
///
/// Operator: ``Streams/ObservableType/headers(_:)``.
public struct HeaderInjectorNode<Output: Sendable>: Node {
    private let headers: HTTPHeaders
    private let next: any Node<HTTPRequest, Output>

    /// Creates a node that adds `headers` to the requests that it passes to `next`.
    public init(headers: HTTPHeaders, next: any Node<HTTPRequest, Output>) {
        self.headers = headers
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        next.stream(input.injecting(headers))
    }
}

extension HTTPRequest {
    fileprivate func adding(_ providers: [any HeaderProvider]) throws -> HTTPRequest {
        var request = self
        for provider in providers { request.headers = request.headers.merging(try provider.headers()) }
        return request
    }

    fileprivate func injecting(_ headers: HTTPHeaders) -> HTTPRequest {
        var request = self
        request.headers = headers.merging(request.headers)
        return request
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits each request with the headers of the providers; the later provider wins.
    public func headers(from providers: any HeaderProvider...) -> Observable<HTTPRequest> {
        map { try $0.adding(providers) }
    }

    /// Emits each request with these headers added, unless it has one of the same name.
    public func headers(_ headers: HTTPHeaders) -> Observable<HTTPRequest> {
        map { $0.injecting(headers) }
    }
}
