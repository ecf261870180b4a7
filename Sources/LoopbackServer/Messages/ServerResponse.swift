import Foundation

/// An answer: status, header fields and body, and the faults with which it is sent.
///
/// `Content-Length` or `Transfer-Encoding` are added by the server. A header field with a line break is refused: the client gets 500.
public struct ServerResponse: Sendable {
    /// The status code. From 100 to 199 it is an interim answer of a streaming route.
    public var status: Int
    /// The header fields.
    public var headers: ServerHeaders
    /// What goes wrong while it is sent, in the order in which it was added.
    public var faults: [Fault] = []

    var body: ResponseBody

    /// A response with these bytes.
    public init(status: Int = 200, headers: ServerHeaders = [:], body: Data = Data()) {
        self.init(status: status, headers: headers, content: .data(body))
    }

    init(status: Int = 200, headers: ServerHeaders = [:], content: ResponseBody) {
        self.status = status
        self.headers = headers
        body = content
    }

    /// A response without a body.
    public static func empty(_ status: Int = 204) -> ServerResponse { ServerResponse(status: status) }

    /// Plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Bytes of a given type.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": type], body: data)
    }

    /// A value as JSON with sorted keys. A value that cannot be encoded becomes a 500 that says why.
    public static func json(_ value: some Encodable, status: Int = 200) -> ServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return data(try encoder.encode(value), type: "application/json", status: status)
        } catch {
            return text("The response cannot be encoded: \(error)", status: 500)
        }
    }

    /// JSON that is written already, or that is wrong on purpose.
    public static func json(text: String, status: Int = 200) -> ServerResponse {
        data(Data(text.utf8), type: "application/json", status: status)
    }

    /// A redirect to a path or a URL. A route that redirects to itself is a loop.
    public static func redirect(to location: String, status: Int = 302) -> ServerResponse {
        ServerResponse(status: status, headers: ["Location": location])
    }

    /// A body of that many bytes, made while it is sent: 50 MB cost no memory. `generatedBytes(_:)` says what is in it.
    public static func generated(bytes: Int, type: String = "application/octet-stream") -> ServerResponse {
        ServerResponse(headers: ["Content-Type": type], content: .generated(max(0, bytes)))
    }

    /// The bytes which `generated(bytes:)` sends at these positions.
    public static func generatedBytes(_ range: Range<Int>) -> Data { GeneratedBytes.bytes(range) }

    /// Exactly these bytes and then the end of the connection: for answers that are no HTTP, or HTTP of a kind that nothing here makes.
    public static func raw(_ bytes: Data) -> ServerResponse { ServerResponse(content: .raw(bytes)) }

    /// The same response with one more fault.
    public func with(_ fault: Fault) -> ServerResponse {
        var response = self
        response.faults.append(fault)
        return response
    }

    /// The same response with this header field, which replaces those of the same name.
    public func header(_ name: String, _ value: String) -> ServerResponse {
        var response = self
        response.headers[name] = value
        return response
    }

    /// The same response, its body sent in chunks.
    public func chunked() -> ServerResponse { header("Transfer-Encoding", "chunked") }
}
