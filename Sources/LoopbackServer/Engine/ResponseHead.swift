import Foundation

/// The status line and the header fields of a response as sent, and their consequences for the body and the connection.
struct ResponseHead: Sendable, Equatable {
    let bytes: Data
    let isChunked: Bool
    let sendsBody: Bool
    let keepsConnection: Bool

    init(_ response: LoopbackServer.Response, for request: LoopbackServer.Request, faults: ResponseFaults) {
        let mayHaveBody = response.status >= 200 && response.status != 204 && response.status != 304
        let wantsChunks = faults.hasBadChunkSize || response.headers.tokens(in: "Transfer-Encoding").contains("chunked")
        let canChunk = request.minorVersion == 1 && mayHaveBody && faults.contentLength == nil && !faults.hasNoContentLength
        let length = faults.contentLength ?? response.body.count
        isChunked = canChunk && (wantsChunks || length == nil)
        sendsBody = mayHaveBody && request.method != "HEAD"
        let hasLength = mayHaveBody && !isChunked && !faults.hasNoContentLength && length != nil
        let closes = response.headers.tokens(in: "Connection").contains("close") || !request.keepsAlive
        let isDelimited = hasLength || isChunked || !sendsBody
        keepsConnection = !closes && isDelimited && !faults.preventsReuse

        var headers = response.headers
        headers["Transfer-Encoding"] = isChunked ? "chunked" : nil
        let ownLength = sendsBody ? nil : headers["Content-Length"]
        headers["Content-Length"] = hasLength ? ownLength ?? length.map(String.init) : nil
        if closes || !isDelimited { headers["Connection"] = "close" }
        if keepsConnection, request.minorVersion == 0 { headers["Connection"] = "keep-alive" }
        if let count = faults.oversizedHeaderBytes { headers.append("X-Oversized", String(repeating: "o", count: count)) }
        let line = faults.statusLine ?? "HTTP/1.1 \(response.status) \(StatusReason.text(response.status))"
        bytes = Self.encode(line, headers)
    }

    /// Returns an interim response such as `100 Continue`: it has no body, and the final response follows.
    static func interim(_ status: Int, _ headers: HTTPHeaders = [:]) -> Data {
        encode("HTTP/1.1 \(status) \(StatusReason.text(status))", headers)
    }

    /// Returns the head of a response to malformed bytes, as HTTP/1.1.
    static func standalone(_ response: LoopbackServer.Response) -> Data {
        var headers = response.headers
        headers["Content-Length"] = response.body.count.map(String.init)
        return encode("HTTP/1.1 \(response.status) \(StatusReason.text(response.status))", headers)
    }

    private static func encode(_ line: String, _ headers: HTTPHeaders) -> Data { Data(MessageHead.bytes(line, headers)) }
}
