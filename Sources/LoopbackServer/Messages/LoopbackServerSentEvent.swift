import Foundation

extension LoopbackServer {
    /// A server-sent event to send.
    ///
    /// Source: [HTML, Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
    public struct SentEvent: Sendable, Equatable {
        /// The `Last-Event-ID` that the client sends when it reconnects.
        public var id: String?
        /// The event type; a client treats an event without one as `message`.
        public var event: String?
        /// The text; each of its lines becomes a `data` line. Without it a client only records the other fields.
        public var data: String?
        /// The delay before the client should reconnect, sent in whole milliseconds.
        public var retry: Duration?

        /// Creates an event.
        public init(data: String?, id: String? = nil, event: String? = nil, retry: Duration? = nil) {
            self.id = id
            self.event = event
            self.data = data
            self.retry = retry
        }

        /// Creates an event whose text is a value as JSON. Throws `EncodingError`.
        public static func json(_ value: some Encodable, id: String? = nil, event: String? = nil) throws -> SentEvent {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return SentEvent(data: String(decoding: try encoder.encode(value), as: UTF8.self), id: id, event: event)
        }

        /// The serialized event. Line breaks in `id` and `event`, where they are not allowed, become spaces.
        var encoded: Data {
            var lines: [String] = []
            if let retry { lines.append("retry: \(Int64(max(0, min(1e15, retry / .milliseconds(1)))))") }
            if let event { lines.append("event: \(Self.oneLine(event))") }
            if let id { lines.append("id: \(Self.oneLine(id))") }
            if let data { lines += Self.lines(data).map { "data: \($0)" } }
            return Data((lines.joined(separator: "\n") + "\n\n").utf8)
        }

        private static func lines(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        }

        private static func oneLine(_ text: String) -> String {
            lines(text).joined(separator: " ").filter { $0 != "\0" }
        }
    }
}
