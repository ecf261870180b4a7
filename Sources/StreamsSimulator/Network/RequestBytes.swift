import Foundation
import NetNodes

/// The bytes of a request, as libcurl sends them, without the fields that only libcurl adds: `User-Agent`, `Accept` and `Accept-Encoding`.
///
/// Source: [RFC 9112, 3](https://www.rfc-editor.org/rfc/rfc9112#name-request-line).
enum RequestBytes {
    static func of(_ request: HTTPRequest) throws(TransportError) -> Data {
        let body = request.sendsBody ? try body(of: request) : nil
        var fields = [HTTPHeaders.Field(name: "Host", value: request.headers["Host"] ?? request.url.hostField)]
        if request.headers["Authorization"] == nil, let credentials = request.url.basicCredentials {
            fields.append(HTTPHeaders.Field(name: "Authorization", value: credentials))
        }
        fields += request.headers.filter { field in !["Host", "Content-Length"].contains(where: field.name.equalsIgnoringASCIICase) }
        if let body { fields.append(HTTPHeaders.Field(name: "Content-Length", value: "\(body.count)")) }
        var bytes = Data("\(request.method.rawValue) \(request.url.target) HTTP/1.1\r\n".utf8)
        for field in fields { bytes += line(field) + "\r\n".utf8 }
        return bytes + "\r\n".utf8 + (body ?? Data())
    }

    private static func line(_ field: HTTPHeaders.Field) -> [UInt8] {
        HeaderText.opaqueLine(field) ?? Array((field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)").utf8)
    }

    private static func body(of request: HTTPRequest) throws(TransportError) -> Data {
        if case .stream = request.body { throw .bodyFailed(url: redacted(request.url), reason: "a simulated network sends no streams") }
        var bytes = Data()
        for piece in request.body.inPieces {
            switch piece {
            case .data(let data): bytes += data
            case .file(let file): bytes += try contents(of: file)
            }
        }
        return bytes
    }

    private static func contents(of file: URL) throws(TransportError) -> Data {
        do { return try Data(contentsOf: file) } catch {
            throw .unreadableBody(path: file.path, reason: error.localizedDescription)
        }
    }
}

extension URL {
    /// Path and query without `.` and `..`, percent-encoded.
    fileprivate var target: String {
        let path = standardized.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// The host, with a port that is not that of the scheme. The zone of an address means something to this machine only.
    fileprivate var hostField: String {
        let host = bracketed(String((plainHost ?? "").prefix { $0 != "%" }))
        return effectivePort == (scheme?.lowercased() == "https" ? 443 : 80) ? host : "\(host):\(effectivePort)"
    }

    /// The value of `Authorization` for the user of the URL.
    fileprivate var basicCredentials: String? {
        guard let user = user(percentEncoded: false) else { return nil }
        return "Basic " + Data("\(user):\(password(percentEncoded: false) ?? "")".utf8).base64EncodedString()
    }
}
