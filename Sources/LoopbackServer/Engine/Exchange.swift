/// One request and its pending response.
struct Exchange {
    /// The request; `nil` for the response to malformed bytes.
    let request: ServerRequest?
    /// Cancels the handler that has not responded yet.
    var cancelHandler: (@Sendable () -> Void)?
    /// The transmission of the response, once there is one.
    var delivery: Delivery?
    /// The streaming body that has not been started yet.
    var unstartedBody: (@Sendable (BodyFeed) -> ConnectionInput)?
    var feed: BodyFeed?
    var input: ConnectionInput?

    /// The body of the request, if its route consumes it while it arrives.
    var upload: Upload? { request?.upload }

    /// Whether the response precedes the end of the body.
    var isUploadUnfinished: Bool { upload.map { !$0.hasEnded } ?? false }

    init(request: ServerRequest?) {
        self.request = request
    }

    /// Cancels the handler and the body of this exchange.
    func cancel() {
        feed?.close()
        input?.stop()
        cancelHandler?()
        upload?.fail("The connection was closed.")
    }
}

/// Responds to a request: receives a function to call with the response from any thread, and returns a function that cancels.
///
/// Responses with a status below 200 are interim; the first other one is final and further ones are ignored.
typealias Responder = @Sendable (ServerRequest, @escaping @Sendable (ServerResponse) -> Void) -> @Sendable () -> Void
