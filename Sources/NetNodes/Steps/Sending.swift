public import Streams

/// Sends the request and passes its result on; logs what was sent and received.
///
/// Operator: ``Streams/ObservableType/send(on:max:)``.
public struct RequestSenderNode<Output: Sendable>: Node {
    private let transport: any Transport
    private let discardsBodies: Bool
    private let next: any Node<Result<HTTPResponse, any Error>, Output>

    /// - Parameters:
    ///   - transport: what performs the transfers.
    ///   - discardsBodies: whether the bodies of successful responses are discarded; see ``HTTPRequest/discardsBody``.
    ///   - next: the node after it.
    public init(transport: any Transport, discardsBodies: Bool = false, next: any Node<Result<HTTPResponse, any Error>, Output>) {
        self.transport = transport
        self.discardsBodies = discardsBodies
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        var input = input
        if discardsBodies { input.discardsBody = true }
        return transport.exchange(input).flatMapOutcome { [next] in next.stream($0) }
    }
}

extension Transport {
    /// Sends a request and logs it with its response.
    func exchange(_ request: HTTPRequest) -> Observable<HTTPResponse> { response(to: request).notingTransfer(of: request) }
}

extension ObservableType<HTTPResponse> {
    /// Logs the request and its response.
    fileprivate func notingTransfer(of request: HTTPRequest) -> Observable<HTTPResponse> {
        let source = asObservable()
        return .logging { log in
            guard log.isOn else { return source }
            log.note(.info, "RequestSenderNode", "\(request.method) \(redacted(request.url))")
            return source.noting(.info, as: "RequestSenderNode") { event in event.element.map(summary) }
                .notingFailure(as: "RequestSenderNode")
        }
    }
}

private func summary(of response: HTTPResponse) -> String {
    let time = response.metrics.map { " after \($0.total.displayText)" } ?? ""
    return "\(response.status) with \(response.bodySize) bytes\(time)"
}

extension ObservableType<HTTPRequest> {
    /// Sends each request and emits its response, with at most `max` requests in flight.
    public func send(on transport: any Transport, max: Int = .max) -> Observable<HTTPResponse> {
        flatMap(maxConcurrent: max, transport.exchange)
    }
}
