import Foundation
import Streams

extension ServerResponse {
    /// A body that comes from a stream, in chunks, a chunk for what is there when the client can take more.
    ///
    /// The stream is subscribed to when the header has been sent, on the server's queue, and disposed when the client goes away, when the server
    /// stops, and when more than `ServerLimits.streamBufferBytes` wait for a slow client. An error in it breaks the connection off.
    public static func stream(_ bytes: Observable<Data>, type: String = "application/octet-stream") -> ServerResponse {
        ServerResponse(
            headers: ["Content-Type": type],
            content: .stream { feed in
                let subscription = bytes.map { try feed.take(in: $0) }
                    .subscribe(
                        onNext: { _ in }, onError: { _ in feed.finish(hasFailed: true) }, onCompleted: { feed.finish(hasFailed: false) })
                return { subscription.dispose() }
            })
    }

    /// Server-sent events from a stream; otherwise as `stream(_:type:)`.
    public static func events(_ events: Observable<ServerEvent>) -> ServerResponse {
        stream(events.map(\.encoded), type: "text/event-stream").header("Cache-Control", "no-cache")
    }

    /// A line for each element of a stream, such as JSON lines; otherwise as `stream(_:type:)`.
    public static func lines(_ lines: Observable<String>, type: String = "application/x-ndjson") -> ServerResponse {
        stream(lines.map { Data(($0 + "\n").utf8) }, type: type)
    }
}

extension BodyFeed {
    /// Nobody takes the bytes any more.
    private struct Closed: Error {}

    /// Appends bytes, or throws, which stops even a source that never returns from its subscription.
    fileprivate func take(in bytes: Data) throws {
        append(bytes)
        guard isOpen else { throw Closed() }
    }
}
