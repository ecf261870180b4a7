import Foundation
import Streams

extension ServerResponse {
    /// Returns a chunked body that is produced by a stream; a chunk contains what is buffered when the client can receive more.
    ///
    /// The stream is subscribed to on the server's queue when the header has been sent. It is disposed when the client disconnects, when
    /// the server stops, and when more than `ServerLimits.streamBufferBytes` are buffered for a slow client. If it fails, the connection is
    /// aborted.
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

    /// Returns server-sent events from a stream; otherwise like `stream(_:type:)`.
    public static func events(_ events: Observable<ServerEvent>) -> ServerResponse {
        stream(events.map(\.encoded), type: "text/event-stream").header("Cache-Control", "no-cache")
    }

    /// Returns a line for each element of a stream, such as JSON lines; otherwise like `stream(_:type:)`.
    public static func lines(_ lines: Observable<String>, type: String = "application/x-ndjson") -> ServerResponse {
        stream(lines.map { Data(($0 + "\n").utf8) }, type: type)
    }
}

extension BodyFeed {
    /// The body is no longer accepted.
    private struct Closed: Error {}

    /// Appends bytes, or throws, which terminates even a source that never returns from its subscription.
    fileprivate func take(in bytes: Data) throws {
        append(bytes)
        guard isOpen else { throw Closed() }
    }
}
