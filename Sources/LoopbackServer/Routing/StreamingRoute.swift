import Streams

extension ServerRoute {
    /// Answers with the first response of a stream, from whatever thread it comes and whenever: the stream form of a handler.
    ///
    /// Responses with a status below 200 are sent as interim answers (103 Early Hints, say) and the stream goes on; the first other one ends it.
    /// The stream is disposed when the client goes away. One that fails, or ends without a response, is answered with 500.
    public static func stream(
        _ method: String?, _ path: String, answer: @escaping @Sendable (ServerRequest) -> Observable<ServerResponse>
    ) -> ServerRoute {
        ServerRoute(method: method, path: path) { request, reply in
            let subscription = answer(request)
                .map { response in
                    reply(response)
                    // A throw is what ends a source that would go on for ever on this very thread.
                    guard response.status < 200 else { throw Answered() }
                }
                .subscribe(
                    onNext: { _ in },
                    onError: { error in if !(error is Answered) { reply(.text("\(error)\n", status: 500)) } },
                    onCompleted: { reply(.text("The route ended without a response.\n", status: 500)) })
            return { subscription.dispose() }
        }
    }

    private struct Answered: Error {}
}
