public import Streams

/// Gives headers when a request is about to be sent, such as a fresh token.
public protocol HeaderProvider: Sendable {
    /// Asked at each request, also when it is repeated. A throw ends the stream and nothing is sent.
    func headers() throws -> HTTPHeaders
}

extension HTTPHeaders: HeaderProvider {
    public func headers() -> HTTPHeaders { self }
}

/// Completes the request: asks the header providers, each at each request, of which the later wins, and sets limits and redirects.
///
/// Operator: ``Streams/ObservableType/headers(from:)``.
public struct RequestCreatorNode<Output: Sendable>: Node {
    private let providers: [any HeaderProvider]
    private let timeouts: HTTPRequest.Timeouts?
    private let redirects: HTTPRequest.Redirects?
    private let limits: HTTPRequest.Limits?
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - timeouts: the limits; `nil` leaves those of the request.
    ///   - redirects: what to do with them; `nil` leaves what the request says.
    ///   - limits: how much of a response is taken; `nil` leaves what the request says.
    public init(
        providers: [any HeaderProvider] = [], timeouts: HTTPRequest.Timeouts? = nil, redirects: HTTPRequest.Redirects? = nil,
        limits: HTTPRequest.Limits? = nil, next: any Node<HTTPRequest, Output>
    ) {
        self.providers = providers
        self.timeouts = timeouts
        self.redirects = redirects
        self.limits = limits
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        var request = input
        request.timeouts = timeouts ?? request.timeouts
        request.redirects = redirects ?? request.redirects
        request.limits = limits ?? request.limits
        guard !providers.isEmpty else { return next.stream(request) }
        return next.stream(making: { [request, providers] in try request.adding(providers) })
    }
}

/// Adds headers that a request has not set itself, such as a locale.
///
/// Operator: ``Streams/ObservableType/headers(_:)``.
public struct HeaderInjectorNode<Output: Sendable>: Node {
    private let headers: HTTPHeaders
    private let next: any Node<HTTPRequest, Output>

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
    /// Each request with the headers that the providers give for it; the later provider wins.
    public func headers(from providers: any HeaderProvider...) -> Observable<HTTPRequest> {
        map { try $0.adding(providers) }
    }

    /// Each request with these headers where it has none of the same name.
    public func headers(_ headers: HTTPHeaders) -> Observable<HTTPRequest> {
        map { $0.injecting(headers) }
    }
}
