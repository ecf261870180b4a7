import Foundation

extension CachedResponse {
    /// The key of a stored response: a digest of method, URL, the relevant headers, the body, and every credential of the request.
    ///
    /// A stored response is only returned for the same credentials: user and password of the URL and each secret header (`SecretNames`) are
    /// always part of the key. The secrets cannot be recovered from it. Always part of it are also a `Host` that names another server than
    /// the URL, `Accept-Encoding`, since the body of a request with its own is not decompressed, and the fields that describe the body of
    /// the request, such as `Content-Type`. The order of query items is irrelevant, except among items of one name, where it may matter.
    /// The fragment is ignored.
    ///
    /// Source: [RFC 9111, 2](https://www.rfc-editor.org/rfc/rfc9111#section-2).
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        /// The request headers that are relevant by default, in addition to those that always are.
        public static let usualHeaders = ["Accept", "Accept-Language", "Authorization"]

        /// The digest, 64 hexadecimal digits.
        public let digest: String

        /// - Parameters:
        ///   - request: the request to which the key belongs.
        ///   - headers: the relevant request headers, in addition to those that always are; must be the same for reading and storing.
        public init(_ request: HTTPRequest, varying headers: [String] = Key.usualHeaders) {
            let always = request.headers.filter { Redactor.isSecret($0) || request.dependsOn($0) }.map(\.name)
            let host = request.headers.virtualHost(at: request.url).map { ["virtual host \($0)"] } ?? []
            let fields = Set((headers + always).map { $0.lowercased() }).sorted().map { name in
                let values = request.headers.values(name)
                return values.isEmpty ? name : "\(name): \(values.joined(separator: ", "))"
            }
            // With its length as a prefix, a part cannot be confused with two parts.
            let all = [request.method.rawValue] + Self.parts(of: request.url) + host + fields + Self.parts(of: request.body)
            let parts = all.map { "\($0.utf8.count) \($0)" }
            digest = SHA256.hexadecimal(of: parts.joined(separator: "\n").utf8)
        }

        public var description: String { "CachedResponse.Key(\(digest.prefix(12)))" }

        /// A file is represented only by its path, so a request with a file is not cached.
        private static func parts(of body: HTTPRequest.Body) -> [String] {
            body.inPieces.map { piece in
                switch piece {
                case .data(let data): "data " + SHA256.hexadecimal(of: data)
                case .file(let file): "file " + file.absoluteString
                }
            }
        }

        private static func parts(of url: URL) -> [String] {
            let withoutFragment = url.absoluteString.prefix { $0 != "#" }
            let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let origin = Origin(url)
            let path = url.path(percentEncoded: true)
            let address = [
                origin.scheme ?? "", url.user() ?? "", url.password() ?? "", origin.host ?? "", "\(origin.port)",
                path.isEmpty ? "/" : path,
            ]
            guard parts.count == 2 else { return address }
            let items = parts[1].split(separator: "&", omittingEmptySubsequences: true).enumerated().map { offset, item in
                (name: String(item.prefix { $0 != "=" }), offset: offset, item: String(item))
            }
            return address + ["?" + items.sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.item).joined(separator: "&")]
        }
    }
}

extension HTTPRequest {
    /// Whether any response to the request depends on a field, although no server says so in `Vary`.
    fileprivate func dependsOn(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name.lowercased()
        return name == "accept-encoding" || body != .none && name.hasPrefix("content-") && name != "content-length"
    }
}
