import Streams

extension ServerRoute {
    /// Creates a route that responds with the first response of a stream, on any thread and at any time.
    ///
    /// Responses with a status below 200 are sent as interim responses (such as 103 Early Hints) and the stream continues; the first other
    /// one is final. The stream is disposed when the client disconnects. If it fails, or completes without a response, the response is 500.
    public static func stream(
        _ method: String?, _ path: String, answer: @escaping @Sendable (ServerRequest) -> Observable<ServerResponse>
    ) -> ServerRoute {
        ServerRoute(method: method, path: path) { request, reply in
            let subscription = answer(request)
                .map { response in
                    reply(response)
                    // Throwing terminates a source that would otherwise never return from its subscription.
                    guard response.status < 200 else { throw Answered() }
                }
                .subscribe(
                    onNext: { _ in },
                    onError: { error in if !(error is Answered) { reply(.text("\(error)\n", status: 500)) } },
                    onCompleted: { reply(.text("The route completed without a response.\n", status: 500)) })
            return { subscription.dispose() }
        }
    }

    private struct Answered: Error {}
}
