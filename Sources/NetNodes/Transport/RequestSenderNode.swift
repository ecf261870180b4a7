public import Streams

/// Sends the request and hands on how it went. Nothing else.
///
/// Operator: ``Streams/ObservableType/send(on:)``.
public struct RequestSenderNode<Output: Sendable>: Node {
    private let transport: any Transport
    private let next: any Node<Result<HTTPResponse, any Error>, Output>

    public init(transport: any Transport, next: any Node<Result<HTTPResponse, any Error>, Output>) {
        self.transport = transport
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        transport.response(to: input)
            .map { Result<HTTPResponse, any Error>.success($0) }
            .catch { .just(.failure($0)) }
            .flatMap { [next] in next.stream($0) }
    }
}

extension ObservableType<HTTPRequest> {
    /// Sends each request and gives its response. At most `max` are on their way at a time.
    public func send(on transport: any Transport, max: Int = .max) -> Observable<HTTPResponse> {
        through(AnyNode { transport.response(to: $0) }, .merge(max: max))
    }
}
