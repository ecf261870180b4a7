import Foundation
public import Streams

/// Builds the HTTP request from the results of the preceding nodes: method, URL, headers and encoded body.
///
/// `Content-Type` is added unless the metadata has one. If the route has no URL or the data cannot be encoded, nothing is sent.
/// Operator: ``Streams/ObservableType/httpRequest(_:)``.
public struct URLRequestTransformatorNode<Raw: RequestBodyConvertible, Output: Sendable>: Node {
    private let method: HTTPMethod
    private let next: any Node<HTTPRequest, Output>

    /// Creates a node that builds requests with this method for `next`.
    public init(method: HTTPMethod, next: any Node<HTTPRequest, Output>) {
        self.method = method
        self.next = next
    }

    public func stream(_ input: EncodableRequest<Raw, any URLRouteProvider>) -> Observable<Output> {
        next.stream(making: { [method] in try input.httpRequest(method) })
    }
}

extension EncodableRequest where Raw: RequestBodyConvertible, Route == any URLRouteProvider {
    func httpRequest(_ method: HTTPMethod) throws -> HTTPRequest {
        let encoded = try raw.encoded(encoding == .automatic ? method.usualEncoding : encoding)
        let url = try route.url()
        var request = HTTPRequest(method, try encoded.query.map(url.adding) ?? url, body: encoded.body)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { request.headers.append(name, value) }
        if let type = encoded.contentType, request.headers["Content-Type"] == nil { request.headers.append("Content-Type", type) }
        return request
    }
}

extension HTTPMethod {
    fileprivate var usualEncoding: RequestEncoding {
        self == .get || self == .head || self == .delete ? .urlQuery : .json
    }
}

extension ObservableType {
    /// Emits the HTTP request of each element.
    public func httpRequest<Raw: RequestBodyConvertible>(_ method: HTTPMethod) -> Observable<HTTPRequest>
    where Element == EncodableRequest<Raw, any URLRouteProvider> {
        map { try $0.httpRequest(method) }
    }
}
