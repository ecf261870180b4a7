import Foundation

/// A response: status, header fields, body, and the faults with which it is sent.
///
/// The server adds `Content-Length` or `Transfer-Encoding`. A header field with a line break is rejected: the client receives 500.
public struct ServerResponse: Sendable {
    /// The status code. From 100 to 199 it is an interim response of a streaming route.
    public var status: Int
    /// The header fields.
    public var headers: ServerHeaders
    /// The faults of the transmission, in the order in which they were added.
    public var faults: [Fault] = []

    var body: ResponseBody

    /// Creates a response with these bytes.
    public init(status: Int = 200, headers: ServerHeaders = [:], body: Data = Data()) {
        self.init(status: status, headers: headers, content: .data(body))
    }

    init(status: Int = 200, headers: ServerHeaders = [:], content: ResponseBody) {
        self.status = status
        self.headers = headers
        body = content
    }

    /// Returns a response without a body.
    public static func empty(_ status: Int = 204) -> ServerResponse { ServerResponse(status: status) }

    /// Returns plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Returns bytes of a given content type.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": type], body: data)
    }

    /// Returns a value as JSON with sorted keys. If the value cannot be encoded, returns a 500 with the reason.
    public static func json(_ value: some Encodable, status: Int = 200) -> ServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return data(try encoder.encode(value), type: "application/json", status: status)
        } catch {
            return text("The response cannot be encoded: \(error)", status: 500)
        }
    }

    /// Returns JSON text as is, valid or not.
    public static func json(text: String, status: Int = 200) -> ServerResponse {
        data(Data(text.utf8), type: "application/json", status: status)
    }

    /// Returns a redirect to a path or a URL. A route that redirects to itself is a loop.
    public static func redirect(to location: String, status: Int = 302) -> ServerResponse {
        ServerResponse(status: status, headers: ["Location": location])
    }

    /// Returns a body of this many bytes, generated while it is sent: 50 MB use no memory. `generatedBytes(_:)` returns its content.
    public static func generated(bytes: Int, type: String = "application/octet-stream") -> ServerResponse {
        ServerResponse(headers: ["Content-Type": type], content: .generated(max(0, bytes)))
    }

    /// Returns the bytes that `generated(bytes:)` sends at these positions.
    public static func generatedBytes(_ range: Range<Int>) -> Data { GeneratedBytes.bytes(range) }

    /// Returns exactly these bytes, after which the connection is closed: for malformed HTTP, or responses that this type cannot express.
    public static func raw(_ bytes: Data) -> ServerResponse { ServerResponse(content: .raw(bytes)) }

    /// Returns this response with one more fault.
    public func with(_ fault: Fault) -> ServerResponse {
        var response = self
        response.faults.append(fault)
        return response
    }

    /// Returns this response with this header field, which replaces those of the same name.
    public func header(_ name: String, _ value: String) -> ServerResponse {
        var response = self
        response.headers[name] = value
        return response
    }

    /// Returns this response with its body sent in chunks.
    public func chunked() -> ServerResponse { header("Transfer-Encoding", "chunked") }
}
