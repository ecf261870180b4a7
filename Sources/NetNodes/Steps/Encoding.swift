public import Streams

/// The encoding of a request's raw data.
public enum RequestEncoding: Sendable, Equatable {
    /// In the query for GET, HEAD and DELETE, as JSON for all others.
    case automatic
    /// As JSON in the body.
    case json
    /// As JSON in the body, with sorted members, so that equal requests have equal bytes.
    case sortedJSON
    /// As a form in the body.
    case formURL
    /// In the query of the URL.
    case urlQuery
}

/// Sets the encoding of the request's raw data.
///
/// Operator: ``Streams/ObservableType/encoding(_:)``.
public struct RequestEncoderNode<Raw: Sendable, Route: Sendable, Output: Sendable>: Node {
    private let encoding: RequestEncoding
    private let next: any Node<EncodableRequest<Raw, Route>, Output>

    /// Creates a node that gives the requests that it passes to `next` an encoding.
    public init(encoding: RequestEncoding, next: any Node<EncodableRequest<Raw, Route>, Output>) {
        self.encoding = encoding
        self.next = next
    }

    public func stream(_ input: RoutedRequest<Raw, Route>) -> Observable<Output> {
        next.stream(input.encoded(encoding))
    }
}

extension RoutedRequest {
    func encoded(_ encoding: RequestEncoding) -> EncodableRequest<Raw, Route> {
        EncodableRequest(metadata: metadata, raw: raw, route: route, encoding: encoding)
    }
}

extension ObservableType {
    /// Emits each request with its encoding.
    public func encoding<Raw, Route>(_ encoding: RequestEncoding) -> Observable<EncodableRequest<Raw, Route>>
    where Element == RoutedRequest<Raw, Route> {
        map { $0.encoded(encoding) }
    }
}
