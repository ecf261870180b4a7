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

/// Builds the request for a form from the results of the preceding nodes: method, URL and headers.
///
/// If the route has no URL, nothing is sent. Operator: ``Streams/ObservableType/multipartRequest(_:)``.
public struct MultipartURLRequestTransformatorNode<Output: Sendable>: Node {
    private let method: HTTPMethod
    private let next: any Node<MultipartRequest, Output>

    /// Creates a node that builds requests with this method for `next`.
    public init(method: HTTPMethod = .post, next: any Node<MultipartRequest, Output>) {
        self.method = method
        self.next = next
    }

    public func stream(_ input: RoutedRequest<MultipartForm, any URLRouteProvider>) -> Observable<Output> {
        next.stream(making: { [method] in try input.multipartRequest(method) })
    }
}

/// Encodes the form and completes the request: calls the header providers for each request, of which the later wins.
///
/// Files are read while they are sent; one that cannot be read fails with `TransportError.unreadableBody(path:reason:)` before anything
/// is sent.
/// Operator: ``Streams/ObservableType/writingForm(headersFrom:)``.
public struct MultipartRequestCreatorNode<Output: Sendable>: Node {
    private let providers: [any HeaderProvider]
    private let next: any Node<HTTPRequest, Output>

    /// Creates a node that adds the headers of `providers` to the requests that it passes to `next`.
    public init(providers: [any HeaderProvider] = [], next: any Node<HTTPRequest, Output>) {
        self.providers = providers
        self.next = next
    }

    public func stream(_ input: MultipartRequest) -> Observable<Output> {
        RequestCreatorNode(providers: providers, next: next).stream(making: input.httpRequest)
    }
}

extension RoutedRequest where Raw == MultipartForm, Route == any URLRouteProvider {
    fileprivate func multipartRequest(_ method: HTTPMethod) throws -> MultipartRequest {
        let fields = metadata.sorted { $0.key < $1.key }.map { HTTPHeaders.Field(name: $0.key, value: $0.value) }
        return MultipartRequest(method, try route.url(), headers: HTTPHeaders(fields), form: raw)
    }
}

extension MultipartRequest {
    @Sendable
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
        map { try $0.multipartRequest(method) }
    }
}

extension ObservableType<MultipartRequest> {
    /// Emits each form encoded in an HTTP request, with the headers of the providers.
    public func writingForm(headersFrom providers: any HeaderProvider...) -> Observable<HTTPRequest> {
        through(MultipartRequestCreatorNode(providers: providers, next: AnyNode { .just($0) }), .concat)
    }
}

extension URLChain where Input == Void {
    /// Takes a form as the input: fields and files.
    public var multipart: URLChain<Stage, MultipartForm> {
        URLChain<Stage, MultipartForm>(settings: settings) { $0 }
    }

    /// Sends a form made from the input.
    public func multipart<Model: Sendable>(
        _ type: Model.Type = Model.self, _ makeForm: @escaping @Sendable (Model) throws -> MultipartForm
    ) -> URLChain<Stage, Model> {
        URLChain<Stage, Model>(settings: settings) { try makeForm($0) }
    }

    /// Sends a file, which is read while it is sent; the input is its URL.
    ///
    /// A file that cannot be read fails with `TransportError.unreadableBody(path:reason:)` before anything is sent.
    public func upload(type: String = "application/octet-stream") -> URLChain<Stage, URL> {
        URLChain<Stage, URL>(settings: settings) { FileBody(url: $0, type: type) }
    }
}

/// A file as the body of a request.
private struct FileBody: RequestBodyConvertible {
    let url: URL
    let type: String

    func encoded(_ encoding: RequestEncoding) throws -> EncodedBody {
        _ = try lengthOfRegularFile(url)
        return EncodedBody(body: .file(url), contentType: type)
    }
}
