public import Streams

/// Provides headers when a request is about to be sent, such as a current token.
public protocol HeaderProvider: Sendable {
    /// Returns the headers. It is called for each request, including retries. If it throws, the stream fails and nothing is sent.
    func headers() throws -> HTTPHeaders
}

extension HTTPHeaders: HeaderProvider {
    public func headers() -> HTTPHeaders { self }
}

/// The settings that complete a request before it is sent.
struct RequestCompletion: Sendable {
    var providers: [any HeaderProvider] = []
    var timeouts: HTTPRequest.Timeouts?
    var redirects: HTTPRequest.Redirects?
    var limits: HTTPRequest.Limits?

    /// Returns the complete request; throws the error of a provider.
    func completing(_ request: HTTPRequest) throws -> HTTPRequest {
        var request = request
        request.timeouts = timeouts ?? request.timeouts
        request.redirects = redirects ?? request.redirects
        request.limits = limits ?? request.limits
        for provider in providers { request.headers = request.headers.merging(try provider.headers()) }
        return request
    }
}

extension StepMap<HTTPRequest, HTTPRequest> {
    /// Completes a request.
    static func completing(_ completion: RequestCompletion) -> StepMap {
        StepMap("RequestCreatorNode") { try completion.completing($0) }
    }

    /// Adds headers that a request does not have yet.
    static func injecting(_ headers: HTTPHeaders) -> StepMap {
        StepMap("HeaderInjectorNode") { request in
            var request = request
            request.headers = headers.merging(request.headers)
            return request
        }
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits each request with the headers of the providers; if two set the same header, the later one wins.
    public func headers(from providers: any HeaderProvider...) -> Observable<HTTPRequest> {
        completing(headersFrom: providers)
    }

    /// Emits each request with the headers of the providers, and with these settings.
    ///
    /// - Parameters:
    ///   - providers: the providers of headers, in the order of their calls; the later one wins.
    ///   - timeouts: the timeouts; `nil` keeps those of the request.
    ///   - redirects: the handling of redirects; `nil` keeps that of the request.
    ///   - limits: the limits of a response; `nil` keeps those of the request.
    public func completing(
        headersFrom providers: [any HeaderProvider] = [], timeouts: HTTPRequest.Timeouts? = nil,
        redirects: HTTPRequest.Redirects? = nil, limits: HTTPRequest.Limits? = nil
    ) -> Observable<HTTPRequest> {
        through(.completing(RequestCompletion(providers: providers, timeouts: timeouts, redirects: redirects, limits: limits)))
    }

    /// Emits each request with these headers added, unless it already has one of the same name.
    public func headers(_ headers: HTTPHeaders) -> Observable<HTTPRequest> {
        through(.injecting(headers))
    }
}
