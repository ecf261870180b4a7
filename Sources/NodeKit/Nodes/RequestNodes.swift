public import NetNodes
public import Streams

/// Adds metadata to the data. The transport decides how it transmits the metadata.
///
/// Operator: `metadata(_:)`.
public struct MetadataConnectorNode<Raw: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Raw, Output, RequestModel<Raw>, Output>
    public let next: any Node<RequestModel<Raw>, Output>

    /// Creates a node that adds `metadata` to the requests that it passes to `next`.
    public init(metadata: [String: String] = [:], next: any Node<RequestModel<Raw>, Output>) {
        (step, self.next) = (.before(.metadata(metadata)), next)
    }
}

/// Sets the destination of the request.
///
/// Operator: `route(_:)`.
public struct RequestRouterNode<Raw: Sendable, Route: Sendable, Output: Sendable>: StepNode {
    public let step: Step<RequestModel<Raw>, Output, RoutedRequest<Raw, Route>, Output>
    public let next: any Node<RoutedRequest<Raw, Route>, Output>

    /// Creates a node that sends its inputs to `route`, by way of `next`.
    public init(route: Route, next: any Node<RoutedRequest<Raw, Route>, Output>) {
        (step, self.next) = (.before(.routing(to: route)), next)
    }
}

/// Adds a query to the request's URL, in addition to the query of the route.
///
/// Operator: `query(_:)`.
public struct URLQueryInjectorNode<Raw: Sendable, Output: Sendable>: StepNode {
    /// The request whose route gets the query.
    public typealias Request = RoutedRequest<Raw, any URLRouteProvider>

    public let step: Step<Request, Output, Request, Output>
    public let next: any Node<Request, Output>

    /// Creates a node that adds `query` to the route of the requests that it passes to `next`.
    public init(query: URLQuery, next: any Node<Request, Output>) {
        (step, self.next) = (.before(.querying(.success(query))), next)
    }
}

/// Sets the encoding of the request's raw data.
///
/// Operator: `encoding(_:)`.
public struct RequestEncoderNode<Raw: Sendable, Route: Sendable, Output: Sendable>: StepNode {
    public let step: Step<RoutedRequest<Raw, Route>, Output, RoutedRequest<Raw, Route>, Output>
    public let next: any Node<RoutedRequest<Raw, Route>, Output>

    /// Creates a node that sets the encoding of the requests that it passes to `next`.
    public init(encoding: HTTPRequest.Encoding, next: any Node<RoutedRequest<Raw, Route>, Output>) {
        (step, self.next) = (.before(.encoding(encoding)), next)
    }
}

/// Builds the HTTP request from the results of the preceding nodes: method, URL, headers and encoded body.
///
/// `Content-Type` is added unless the metadata has one. If the route has no URL or the data cannot be encoded, nothing is sent.
/// Operator: `httpRequest(_:)`.
public struct URLRequestTransformatorNode<Raw: RequestBodyConvertible, Output: Sendable>: StepNode {
    public let step: Step<RoutedRequest<Raw, any URLRouteProvider>, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// Creates a node that builds requests with this method for `next`.
    public init(method: HTTPRequest.Method, next: any Node<HTTPRequest, Output>) {
        (step, self.next) = (.before(.building(method)), next)
    }
}

/// Builds the request of a form, by default with POST: a form is raw data that encodes itself, whatever the encoding of the request.
///
/// A file that cannot be read fails with `TransportError.unreadableBody(path:reason:)` before anything is sent.
public typealias MultipartURLRequestTransformatorNode<Output: Sendable> = URLRequestTransformatorNode<MultipartForm, Output>

extension URLRequestTransformatorNode where Raw == MultipartForm {
    /// Creates a node that posts forms by way of `next`.
    public init(next: any Node<HTTPRequest, Output>) {
        self.init(method: .post, next: next)
    }
}

/// Completes the request of a form like any other.
public typealias MultipartRequestCreatorNode<Output: Sendable> = RequestCreatorNode<Output>

/// Completes the request: calls the header providers for each request, of which the later wins, and sets timeouts, limits and redirects.
///
/// Operator: `completing(headersFrom:timeouts:redirects:limits:)`.
public struct RequestCreatorNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - providers: the providers of headers, in the order of their calls.
    ///   - timeouts: the timeouts; `nil` keeps those of the request.
    ///   - redirects: the handling of redirects; `nil` keeps that of the request.
    ///   - limits: the limits of a response; `nil` keeps those of the request.
    ///   - next: the node after it.
    public init(
        providers: [any HeaderProvider] = [], timeouts: HTTPRequest.Timeouts? = nil, redirects: HTTPRequest.Redirects? = nil,
        limits: HTTPRequest.Limits? = nil, next: any Node<HTTPRequest, Output>
    ) {
        let completion = RequestCompletion(providers: providers, timeouts: timeouts, redirects: redirects, limits: limits)
        (step, self.next) = (.before(.completing(completion)), next)
    }
}

/// Adds headers that a request does not have yet, such as a locale.
///
/// Operator: `headers(_:)`.
public struct HeaderInjectorNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// Creates a node that adds `headers` to the requests that it passes to `next`.
    public init(headers: HTTPHeaders, next: any Node<HTTPRequest, Output>) {
        (step, self.next) = (.before(.injecting(headers)), next)
    }
}

/// Adds the cookies of a jar, which keeps those of the responses.
///
/// Operator: `cookies(of:)`.
public struct CookieJarNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// Creates a node that adds the cookies of `jar` to the requests that it passes to `next`.
    public init(jar: CookieJar, next: any Node<HTTPRequest, Output>) {
        (step, self.next) = (.before(.cookies(of: jar)), next)
    }
}
