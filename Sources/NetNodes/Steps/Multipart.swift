public import Foundation
public import Streams

/// A form with its destination, before it is encoded.
public struct MultipartRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The destination.
    public var url: URL
    /// The header fields.
    public var headers: HTTPHeaders
    /// The form.
    public var form: MultipartForm

    /// Creates a request that sends `form`.
    public init(_ method: HTTPMethod = .post, _ url: URL, headers: HTTPHeaders = [:], form: MultipartForm) {
        self.method = method
        self.url = url
        self.headers = headers
        self.form = form
    }
}

extension StepMap<RoutedRequest<MultipartForm, any URLRouteProvider>, MultipartRequest> {
    /// Builds the request of a form: method, URL and headers.
    static func buildingForm(_ method: HTTPMethod) -> StepMap {
        StepMap("MultipartURLRequestTransformatorNode") { request in
            let fields = request.metadata.sorted { $0.key < $1.key }.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
            return MultipartRequest(method, try request.route.url(), headers: HTTPHeaders(fields), form: request.raw)
        }
    }
}

extension StepMap<MultipartRequest, HTTPRequest> {
    /// Encodes a form and completes the request.
    static func writingForm(_ completion: RequestCompletion) -> StepMap {
        StepMap("MultipartRequestCreatorNode") { try completion.completing($0.httpRequest()) }
    }
}

extension MultipartRequest {
    fileprivate func httpRequest() throws -> HTTPRequest {
        let encoded = try form.encoded(.automatic)
        var request = HTTPRequest(method, url, headers: headers, body: encoded.body)
        request.headers["Content-Type"] = encoded.contentType
        return request
    }
}

extension ObservableType {
    /// Emits each routed form as a request.
    public func multipartRequest(_ method: HTTPMethod = .post) -> Observable<MultipartRequest>
    where Element == RoutedRequest<MultipartForm, any URLRouteProvider> {
        through(.buildingForm(method))
    }
}

extension ObservableType<MultipartRequest> {
    /// Emits each form encoded in an HTTP request, with the headers of the providers.
    public func writingForm(headersFrom providers: any HeaderProvider...) -> Observable<HTTPRequest> {
        through(.writingForm(RequestCompletion(providers: providers)))
    }
}
