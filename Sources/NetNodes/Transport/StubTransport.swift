import Foundation
public import Streams

/// Responds to requests with the result of a closure, for tests.
///
/// ```swift
/// let transport = StubTransport { request in .json("[1, 2]", to: request) }
/// ```
public struct StubTransport: Transport {
    private let answer: @Sendable (HTTPRequest) throws -> Observable<TransferEvent>

    /// - Parameter answer: returns the response to a request; if it throws, the transfer fails with that error.
    public init(_ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) {
        self.init { request in try answer(request).events }
    }

    /// - Parameter transfer: returns the events of a transfer.
    ///
    /// Disfavored: a closure that only throws fits both initializers.
    @_disfavoredOverload
    public init(transfer: @escaping @Sendable (HTTPRequest) throws -> Observable<TransferEvent>) {
        answer = transfer
    }

    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        .deferred { [answer] in
            try request.validate()
            return try answer(request)
        }
    }
}

extension HTTPResponse {
    /// Returns a text response.
    public static func text(
        _ text: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"], to request: HTTPRequest
    ) -> HTTPResponse {
        HTTPResponse(head: Head(status: status, headers: headers, url: request.url), body: Data(text.utf8))
    }

    /// Returns a JSON response.
    public static func json(_ text: String, status: Int = 200, to request: HTTPRequest) -> HTTPResponse {
        .text(text, status: status, headers: ["Content-Type": "application/json"], to: request)
    }

    /// The events of a transfer with this response.
    fileprivate var events: Observable<TransferEvent> {
        let chunks = body.isEmpty ? [] : [TransferEvent.chunk(body)]
        return .from([.sent, .head(head)] + chunks + [.end(metrics ?? Metrics(bytesReceived: Int64(body.count)))])
    }
}
