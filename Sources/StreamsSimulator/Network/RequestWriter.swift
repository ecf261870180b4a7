import Foundation
import NetNodes

/// The bytes of a request.
///
/// Source: [RFC 9112, 3](https://www.rfc-editor.org/rfc/rfc9112#name-request-line).
enum RequestWriter {
    static func bytes(of request: HTTPRequest) throws(TransportError) -> Data {
        let body = try body(of: request)
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        var head = "\(request.method.rawValue) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n"
        if request.headers["Host"] == nil { head += "Host: \(request.url.host() ?? "")\r\n" }
        for field in request.headers { head += "\(field.name): \(field.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Data((head + "\r\n").utf8) + (body ?? Data())
    }

    private static func body(of request: HTTPRequest) throws(TransportError) -> Data? {
        switch request.body {
        case .none: return nil
        case .stream: throw .bodyFailed(url: "\(request.url)", reason: "a simulated network sends no streams")
        case .data, .file, .pieces:
            var bytes = Data()
            for piece in request.body.inPieces {
                switch piece {
                case .data(let data): bytes += data
                case .file(let file): bytes += try contents(of: file)
                }
            }
            return bytes
        }
    }

    private static func contents(of file: URL) throws(TransportError) -> Data {
        do { return try Data(contentsOf: file) } catch {
            throw .unreadableBody(path: file.path, reason: error.localizedDescription)
        }
    }
}
