import Foundation
public import Streams

extension Step where Input == HTTPRequest, NextInput == Result<HTTPResponse, any Error>, Output == NextOutput {
    /// Sends the request and passes its result on.
    package static func sending(on transport: any Transport, discardsBodies: Bool) -> Step {
        Step("send") { request, rest in
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
        guard !discardsBodies || request.discardsBody else {
            var request = request
            request.discardsBody = true
            return exchange(request)
        }
        return exchangedResponse(to: request).notingTransfer(of: request) { summary(of: $0) }
    }

    /// Transfers a request whose response is read while it is received, and logs it with the head and the end of its response.
    func loggedTransfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        transfer(request).notingTransfer(of: request) { event in
            switch event {
            case .head(let head): "\(head.status)"
            case .end(let metrics): "\(metrics.bytesReceived) bytes after \(metrics.total.displayText)"
            case .sent, .progress, .chunk: nil
            }
        }
    }
}

/// The exchange of a request for its responses, the same for any transport.
extension Transport {
    /// Transfers a request with the cookies of its jar, and notes what belongs to its responses.
    func exchangedTransfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        guard request.marksResponses else { return transfer(request) }
        return .deferred {
            transfer(request.withCurrentCookies).map { event in
                guard case .head(let head) = event else { return event }
                return .head(request.marking(head))
            }
        }
    }

    /// Requests a response with the cookies of the jar, and notes what belongs to it.
    fileprivate func exchangedResponse(to request: HTTPRequest) -> Observable<HTTPResponse> {
        guard request.marksResponses else { return response(to: request) }
        return .deferred {
            response(to: request.withCurrentCookies).map { response in
                var response = response
                response.head = request.marking(response.head)
                return response
            }
        }
    }
}

extension HTTPRequest {
    fileprivate var marksResponses: Bool { cookies != nil || !shownQuery.isEmpty }

    /// Keeps the cookies of a response, and returns its head with the names that may be shown.
    fileprivate func marking(_ head: HTTPResponse.Head) -> HTTPResponse.Head {
        cookies?.jar.store(head)
        var head = head
        head.shownQuery = shownQuery
        return head
    }
}

extension ObservableType {
    /// Logs the request, what `summary` says of its response, and the error of the transfer.
    fileprivate func notingTransfer(
        of request: HTTPRequest, _ summary: @escaping @Sendable (Element) -> String?
    ) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            guard log.isOn else { return source }
            log.note(.info, "send", "\(request.method) \(request.redactedURL)")
            return source.noting(.info, as: "send") { event in event.element.flatMap(summary) }
                .notingFailure(as: "send")
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

extension Step where Input == NextInput, Output == NextOutput {
    /// Maps the errors of any transport to ``TechnicalError``.
    package static var mappingTechnicalErrors: Step { .after("mapTechnicalErrors") { $0.mapTechnicalErrors() } }
}

extension ObservableType {
    /// Maps a transport's error to the corresponding ``TechnicalError``; any other error is forwarded.
    public func mapTechnicalErrors() -> Observable<Element> {
        mapError { error in TechnicalError(error) ?? error }
    }
}

extension StepMap<HTTPResponse, HTTPResponse> {
    /// Fails with the error that `makeError` returns for a response, if any.
    package static func checkingStatus(_ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }) -> StepMap {
        StepMap(logging: "mapHTTPErrors") { response, log in
            guard let error = makeError(response) else { return response }
            log.note(.warning, "mapHTTPErrors", "\(response.head.redactedURL) responded with \(response.status)")
            throw error
        }
    }
}

extension StepMap<Result<HTTPResponse, any Error>, HTTPResponse> {
    /// Fails with the error of a transfer, which the sender has noted.
    package static var checkingTransfer: StepMap { StepMap(logging: "send") { result, _ in try result.get() } }
}

extension ObservableType<HTTPResponse> {
    /// Fails at the first response whose status indicates a failure.
    ///
    /// - Parameter makeError: returns the error of a response, or `nil` if it is not an error.
    public func mapHTTPErrors(
        _ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }
    ) -> Observable<HTTPResponse> {
        through(.checkingStatus(makeError))
    }
}

extension ObservableType {
    /// Replaces an ``HTTPError`` by the server's own error, if its body can be decoded; other errors are forwarded.
    public func customError<Failure: Error & Decodable>(as type: Failure.Type) -> Observable<Element> {
        mapError { error in (error as? HTTPError)?.custom(type) ?? error }
    }
}

extension HTTPError {
    /// Returns the server's own error, if the body can be decoded.
    func custom<Failure: Error & Decodable>(_ type: Failure.Type) -> (any Error)? {
        try? failure.body.decodeJSON(type, using: .snakeCaseConverting)
    }
}
