import Foundation
internal import HTTPMessages
import NetNodes

extension HTTPRequest {
    /// The bytes of the request, as libcurl sends them.
    func bytes() throws(TransportError) -> Data {
        let body = sendsBody ? try bytesOfBody() : nil
        return Data(MessageHead(method.rawValue, url, headers, bodyLength: body?.count).bytes) + (body ?? Data())
    }

    private func bytesOfBody() throws(TransportError) -> Data {
        if case .stream = body { throw .bodyFailed(url: redacted(url), reason: "a simulated network sends no streams") }
        var bytes = Data()
        for piece in body.inPieces {
            switch piece {
            case .data(let data): bytes += data
            case .file(let file): bytes += try Self.contents(of: file)
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

extension MessageParser {
    /// Parses the response to a request.
    init(responding request: HTTPRequest) {
        let limit = request.limits.maximumHeaderSize
        self.init(.client, limits: Limits(startLine: limit, header: limit), answersHead: request.method == .head)
    }
}
