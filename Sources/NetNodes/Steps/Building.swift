import Foundation
public import Streams

/// A request that consists of its data only.
public struct RequestModel<Raw: Sendable>: Sendable {
    /// Data that accompanies the raw data, independent of the transport; HTTP transmits it as headers.
    public var metadata: [String: String]
    /// The data.
    public var raw: Raw

    /// Creates a request that has no destination yet.
    @inlinable @inline(__always)
    public init(metadata: [String: String] = [:], raw: Raw) {
        self.metadata = metadata
        self.raw = raw
    }
}

/// A request with its destination and the encoding of its raw data.
public struct RoutedRequest<Raw: Sendable, Route: Sendable>: Sendable {
    /// Data that accompanies the raw data, independent of the transport; HTTP transmits it as headers.
    public var metadata: [String: String]
    /// The data.
    public var raw: Raw
    /// The destination.
    public var route: Route
    /// The encoding of `raw`.
    public var encoding: HTTPRequest.Encoding

    /// Creates a request with a destination.
    @inlinable @inline(__always)
    public init(metadata: [String: String] = [:], raw: Raw, route: Route, encoding: HTTPRequest.Encoding = .automatic) {
        self.metadata = metadata
        self.raw = raw
        self.route = route
        self.encoding = encoding
    }
}

extension StepMap {
    /// Adds metadata to raw data.
    package static func metadata(_ metadata: [String: String]) -> StepMap where Output == RequestModel<Input> {
        StepMap("metadata") { RequestModel(metadata: metadata, raw: $0) }
    }

    /// Sets the destination of a request.
    package static func routing<Raw, Route>(to route: Route) -> StepMap
    where Input == RequestModel<Raw>, Output == RoutedRequest<Raw, Route> {
        StepMap("route") { RoutedRequest(metadata: $0.metadata, raw: $0.raw, route: route) }
    }
}

extension ObservableType {
    /// Emits each element as a request that carries it, with metadata.
    public func metadata(_ metadata: [String: String]) -> Observable<RequestModel<Element>> {
        through(.metadata(metadata))
    }

    /// Emits each request with its destination.
    public func route<Raw, Route: Sendable>(_ route: Route) -> Observable<RoutedRequest<Raw, Route>> where Element == RequestModel<Raw> {
        through(.routing(to: route))
    }
}

extension StepMap {
    /// Adds a query to the URL of a request; fails with the error of one that could not be encoded.
    package static func querying<Raw>(_ query: Result<URLQuery, any Error>) -> StepMap
    where Input == RoutedRequest<Raw, any URLRouteProvider>, Output == RoutedRequest<Raw, any URLRouteProvider> {
        StepMap("query") { request in
            var request = request
            request.route = QueriedRoute(route: request.route, query: try query.get())
            return request
        }
    }
}

/// A route whose URL has a query added.
struct QueriedRoute: URLRouteProvider {
    let route: any URLRouteProvider
    let query: URLQuery

    func url() throws -> URL {
        try route.url().adding(query)
    }
}

extension ObservableType {
    /// Emits each request with a query added to its URL.
    public func query<Raw>(_ query: URLQuery) -> Observable<RoutedRequest<Raw, any URLRouteProvider>>
    where Element == RoutedRequest<Raw, any URLRouteProvider> {
        through(.querying(.success(query)))
    }
}

extension HTTPRequest {
    /// The encoding of a request's raw data.
    public enum Encoding: Sendable, Equatable {
        /// Encodes the data in the query for GET, HEAD and DELETE, and as JSON for all other methods.
        case automatic
        /// Encodes the data as JSON in the body.
        case json
        /// Encodes the data as JSON in the body, with sorted members, so that equal requests have equal bytes.
        case sortedJSON
        /// Encodes the data as a form in the body.
        case formURL
        /// Encodes the data in the query of the URL.
        case urlQuery
    }
}

extension StepMap {
    /// Sets the encoding of the raw data.
    package static func encoding<Raw, Route>(_ encoding: HTTPRequest.Encoding) -> StepMap
    where Input == RoutedRequest<Raw, Route>, Output == RoutedRequest<Raw, Route> {
        StepMap("encoding") { request in
            var request = request
            request.encoding = encoding
            return request
        }
    }

    /// Builds the HTTP request: method, URL, headers and encoded body.
    package static func building<Raw: RequestBodyConvertible>(_ method: HTTPRequest.Method) -> StepMap
    where Input == RoutedRequest<Raw, any URLRouteProvider>, Output == HTTPRequest {
        StepMap("httpRequest") { request in
            try HTTPRequest(method, to: request.route, sending: request.raw, as: request.encoding, metadata: request.metadata)
        }
    }
}

extension HTTPRequest {
    /// Creates the request that sends raw data to a route. It is not generic, since it is made for each request of a chain.
    init(
        _ method: Method, to route: any URLRouteProvider, sending raw: any RequestBodyConvertible, as encoding: Encoding,
        metadata: [String: String]
    ) throws {
        let encoded = try raw.encoded(encoding == .automatic ? method.usualEncoding : encoding)
        let url = try route.url()
        self.init(method, try encoded.query.map(url.adding) ?? url, body: encoded.body)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { headers.append(name, value) }
        if let type = encoded.contentType, headers["Content-Type"] == nil || encoded.hasOwnType {
            headers["Content-Type"] = type
        }
    }
}

extension HTTPRequest.Method {
    fileprivate var usualEncoding: HTTPRequest.Encoding {
        self == .get || self == .head || self == .delete ? .urlQuery : .json
    }
}

extension ObservableType {
    /// Emits each request with its encoding.
    public func encoding<Raw, Route>(_ encoding: HTTPRequest.Encoding) -> Observable<RoutedRequest<Raw, Route>>
    where Element == RoutedRequest<Raw, Route> {
        through(.encoding(encoding))
    }

    /// Emits the HTTP request of each element.
    public func httpRequest<Raw: RequestBodyConvertible>(_ method: HTTPRequest.Method) -> Observable<HTTPRequest>
    where Element == RoutedRequest<Raw, any URLRouteProvider> {
        through(.building(method))
    }
}

/// Provides headers when a request is about to be sent, such as a current token.
public protocol HeaderProvider: Sendable {
    /// Returns the headers. It is called for each request, including retries. If it throws, the stream fails and nothing is sent.
    func headers() throws -> HTTPHeaders
}

extension HTTPHeaders: HeaderProvider {
    public func headers() -> HTTPHeaders { self }
}

/// The settings that complete a request before it is sent.
package struct RequestCompletion: Sendable {
    var providers: [any HeaderProvider] = []
    var timeouts: HTTPRequest.Timeouts?
    var redirects: HTTPRequest.Redirects?
    var limits: HTTPRequest.Limits?
    var shownQuery: Set<String> = []

    package init(
        providers: [any HeaderProvider] = [], timeouts: HTTPRequest.Timeouts? = nil, redirects: HTTPRequest.Redirects? = nil,
        limits: HTTPRequest.Limits? = nil
    ) {
        (self.providers, self.timeouts, self.redirects, self.limits) = (providers, timeouts, redirects, limits)
    }

    /// Returns the complete request; throws the error of a provider.
    func completing(_ request: HTTPRequest) throws -> HTTPRequest {
        var request = request
        request.timeouts = timeouts ?? request.timeouts
        request.redirects = redirects ?? request.redirects
        request.limits = limits ?? request.limits
        if !shownQuery.isEmpty { request.shownQuery.formUnion(shownQuery) }
        for provider in providers { request.headers = request.headers.merging(try provider.headers()) }
        return request
    }
}

extension StepMap<HTTPRequest, HTTPRequest> {
    /// Completes a request.
    package static func completing(_ completion: RequestCompletion) -> StepMap {
        StepMap("completing") { try completion.completing($0) }
    }

    /// Adds headers that a request does not have yet.
    package static func injecting(_ headers: HTTPHeaders) -> StepMap {
        StepMap("headers") { request in
            var request = request
            request.headers = headers.merging(request.headers)
            return request
        }
    }
}

extension StepMap<HTTPRequest, HTTPRequest> {
    /// Adds the cookies of a jar, which keeps those of the responses.
    package static func cookies(of jar: CookieJar) -> StepMap {
        StepMap("cookies") { $0.adding(cookiesOf: jar) }
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits each request with the cookies of a jar. Whatever sends the request, `send(on:max:)` or a node, then keeps those of its responses
    /// there, also of redirects.
    ///
    /// Cookies that the request has already remain, and those of the jar with the same names are not sent.
    public func cookies(of jar: CookieJar) -> Observable<HTTPRequest> {
        through(.cookies(of: jar))
    }

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
