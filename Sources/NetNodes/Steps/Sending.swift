public import Streams

extension Step where Input == HTTPRequest, NextInput == Result<HTTPResponse, any Error>, Output == NextOutput {
    /// Sends the request and passes its result on.
    static func sending(on transport: any Transport, discardsBodies: Bool) -> Step {
        Step("RequestSenderNode") { request, rest in
            transport.exchange(request, discardsBodies: discardsBodies).flatMapOutcome { rest($0) }
        }
    }
}

extension Transport {
    /// Sends a request and logs it with its response.
    ///
    /// - Parameter discardsBodies: whether the body of a successful response is discarded, even if the request does not require it.
    @Sendable
    func exchange(_ request: HTTPRequest, discardsBodies: Bool = false) -> Observable<HTTPResponse> {
        var request = request
        if discardsBodies { request.discardsBody = true }
        return response(to: request).notingTransfer(of: request)
    }
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
        flatMap(maxConcurrent: max) { transport.exchange($0) }
    }
}
