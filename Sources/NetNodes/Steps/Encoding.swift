import Foundation
public import Streams

/// The encoding of a request's raw data.
public enum RequestEncoding: Sendable, Equatable {
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

extension StepMap {
    /// Sets the encoding of the raw data.
    static func encoding<Raw, Route>(_ encoding: RequestEncoding) -> StepMap
    where Input == RoutedRequest<Raw, Route>, Output == RoutedRequest<Raw, Route> {
        StepMap("RequestEncoderNode") { request in
            var request = request
            request.encoding = encoding
            return request
        }
    }

    /// Builds the HTTP request: method, URL, headers and encoded body.
    static func building<Raw: RequestBodyConvertible>(_ method: HTTPMethod) -> StepMap
    where Input == RoutedRequest<Raw, any URLRouteProvider>, Output == HTTPRequest {
        StepMap("URLRequestTransformatorNode") { try $0.httpRequest(method) }
    }
}

extension RoutedRequest where Raw: RequestBodyConvertible, Route == any URLRouteProvider {
    fileprivate func httpRequest(_ method: HTTPMethod) throws -> HTTPRequest {
        let encoded = try raw.encoded(encoding == .automatic ? method.usualEncoding : encoding)
        let url = try route.url()
        var request = HTTPRequest(method, try encoded.query.map(url.adding) ?? url, body: encoded.body)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { request.headers.append(name, value) }
        if let type = encoded.contentType, request.headers["Content-Type"] == nil || encoded.hasOwnType {
            request.headers["Content-Type"] = type
        }
        return request
    }
}

extension HTTPMethod {
    fileprivate var usualEncoding: RequestEncoding {
        self == .get || self == .head || self == .delete ? .urlQuery : .json
    }
}

extension ObservableType {
    /// Emits each request with its encoding.
    public func encoding<Raw, Route>(_ encoding: RequestEncoding) -> Observable<RoutedRequest<Raw, Route>>
    where Element == RoutedRequest<Raw, Route> {
        through(.encoding(encoding))
    }

    /// Emits the HTTP request of each element.
    public func httpRequest<Raw: RequestBodyConvertible>(_ method: HTTPMethod) -> Observable<HTTPRequest>
    where Element == RoutedRequest<Raw, any URLRouteProvider> {
        through(.building(method))
    }
}
