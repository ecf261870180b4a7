/// One request on its way to its answer.
struct Exchange {
    /// The request, or `nil` for the answer to bytes that are none.
    let request: ServerRequest?
    /// Stops the handler that has not answered yet.
    var cancelHandler: (@Sendable () -> Void)?
    /// The course of the answer, once there is one.
    var delivery: Delivery?
    /// The streaming body that was not started yet.
    var unstartedBody: ResponseBody.BodyStream?
    var feed: BodyFeed?
    var stopBody: (@Sendable () -> Void)?

    init(request: ServerRequest?) {
        self.request = request
    }

    /// Lets go of whatever still works for this exchange.
    func cancel() {
        feed?.close()
        stopBody?()
        cancelHandler?()
    }
}

/// Answers a request: gets it with a function to call with the answer from any thread, and returns how to give up.
///
/// Answers with a status below 200 are interim; the first other one ends it and further ones are ignored.
typealias Responder = @Sendable (ServerRequest, @escaping @Sendable (ServerResponse) -> Void) -> @Sendable () -> Void
