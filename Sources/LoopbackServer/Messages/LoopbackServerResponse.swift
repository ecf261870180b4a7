import Foundation
import Streams

extension LoopbackServer {
    /// A response: status, header fields, body, and the faults with which it is sent.
    ///
    /// The server adds `Content-Length` or `Transfer-Encoding`. A header field with a line break is rejected: the client receives 500.
    public struct Response: Sendable {
        /// The status code. From 100 to 199 it is an interim response of a streaming route.
        public var status: Int
        /// The header fields.
        public var headers: HTTPHeaders
        /// The faults of the transmission, in the order in which they were added.
        public var faults: [Fault] = []

        var body: ResponseBody

        /// Creates a response with these bytes.
        public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
            self.init(status: status, headers: headers, content: .data(body))
        }

        init(status: Int = 200, headers: HTTPHeaders = [:], content: ResponseBody) {
            self.status = status
            self.headers = headers
            body = content
        }

        /// Returns a response without a body.
        public static func empty(_ status: Int = 204) -> Response { Response(status: status) }

        /// Returns plain text in UTF-8.
        public static func text(_ text: String, status: Int = 200) -> Response {
            Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
        }

        /// Returns bytes of a given content type.
        public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> Response {
            Response(status: status, headers: ["Content-Type": type], body: data)
        }

        /// Returns a value as JSON with sorted keys. If the value cannot be encoded, returns a 500 with the reason.
        public static func json(_ value: some Encodable, status: Int = 200) -> Response {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return data(try encoder.encode(value), type: "application/json", status: status)
            } catch {
                return text("The response cannot be encoded: \(error)", status: 500)
            }
        }

        /// Returns JSON text as is, valid or not.
        public static func json(text: String, status: Int = 200) -> Response {
            data(Data(text.utf8), type: "application/json", status: status)
        }

        /// Returns a redirect to a path or a URL. A route that redirects to itself is a loop.
        public static func redirect(to location: String, status: Int = 302) -> Response {
            Response(status: status, headers: ["Location": location])
        }

        /// Returns a body of this many bytes, generated while it is sent: 50 MB use no memory. `generatedBytes(_:)` returns its content.
        public static func generated(bytes: Int, type: String = "application/octet-stream") -> Response {
            Response(headers: ["Content-Type": type], content: .generated(max(0, bytes)))
        }

        /// Returns the bytes that `generated(bytes:)` sends at these positions.
        public static func generatedBytes(_ range: Range<Int>) -> Data { GeneratedBytes.bytes(range) }

        /// Returns exactly these bytes, after which the connection is closed: for malformed HTTP, or responses that this type cannot
        /// express.
        public static func raw(_ bytes: Data) -> Response { Response(content: .raw(bytes)) }

        /// Returns this response with one more fault.
        public func with(_ fault: Fault) -> Response {
            var response = self
            response.faults.append(fault)
            return response
        }

        /// Returns this response with this header field, which replaces those of the same name.
        public func header(_ name: String, _ value: String) -> Response {
            var response = self
            response.headers[name] = value
            return response
        }

        /// Returns this response with its body sent in chunks.
        public func chunked() -> Response { header("Transfer-Encoding", "chunked") }
    }
}

/// The standard reason phrase of a status code.
enum StatusReason {
    static func text(_ status: Int) -> String { known[status] ?? "Status" }

    private static let known: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        418: "I'm a teapot", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage", 511: "Network Authentication Required",
    ]
}

extension LoopbackServer.Response {
    /// Returns a chunked body that a stream produces. A chunk contains the bytes that are buffered when the client can receive more.
    ///
    /// The stream is subscribed to on the server's queue when the header has been sent. It is suspended while 256 KB are buffered for a
    /// slow client, and resumes on that queue. It is disposed when the client disconnects, when the server stops, and, if its source cannot
    /// be suspended, when more than `LoopbackServer.Limits.streamBufferBytes` are buffered. If it fails, the connection is aborted.
    public static func stream(_ bytes: Observable<Data>, type: String = "application/octet-stream") -> LoopbackServer.Response {
        LoopbackServer.Response(
            headers: ["Content-Type": type],
            content: .stream { feed in
                bytes.map { try feed.take(in: $0) }.subscribe(in: feed.gate) { event in
                    switch event {
                    case .next: break
                    case .error: feed.finish(hasFailed: true)
                    case .completed: feed.finish(hasFailed: false)
                    }
                }
                return { feed.gate.dispose() }
            })
    }

    /// Returns server-sent events from a stream; otherwise like `stream(_:type:)`.
    public static func events(_ events: Observable<LoopbackServer.SentEvent>) -> LoopbackServer.Response {
        stream(events.map(\.encoded), type: "text/event-stream").header("Cache-Control", "no-cache")
    }

    /// Returns a line for each element of a stream, such as JSON lines; otherwise like `stream(_:type:)`.
    public static func lines(_ lines: Observable<String>, type: String = "application/x-ndjson") -> LoopbackServer.Response {
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
