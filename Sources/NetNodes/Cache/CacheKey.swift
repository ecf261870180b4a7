import Foundation

/// Under what a response is stored: a digest of method, URL, of the headers that make a difference, and of every credential of the request.
///
/// A stored response belongs to whoever asked for it: user and password of the URL and each header that is secret (``SecretNames``) make keys
/// differ, whatever else does. The secrets themselves cannot be had from a key. The order of the query's items makes no difference, except
/// among those of one name, where it can mean something. The fragment is left out.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The request headers that make a difference unless one says otherwise, beside those that are secret.
    public static let usualHeaders = ["Accept", "Accept-Language", "Authorization"]

    /// 64 hexadecimal digits.
    public let digest: String

    /// - Parameter headers: names of the request headers that make a difference, beside those that are secret; reader and saver must be told
    ///   the same.
    public init(_ request: HTTPRequest, varying headers: [String] = CacheKey.usualHeaders) {
        let secret = request.headers.filter(Redactor.isSecret).map { $0.name.lowercased() }
        let fields = Set(headers.map { $0.lowercased() } + secret).sorted().map { name in
            let values = request.headers.values(name)
            return values.isEmpty ? name : "\(name): \(values.joined(separator: ", "))"
        }
        // With its length before it, no part can pass for two.
        let parts = ([request.method.rawValue] + Self.parts(of: request.url) + fields).map { "\($0.utf8.count) \($0)" }
        digest = SHA256.hexadecimal(of: parts.joined(separator: "\n"))
    }

    public var description: String { "CacheKey(\(digest.prefix(12)))" }

    private static func parts(of url: URL) -> [String] {
        let withoutFragment = url.absoluteString.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let origin = Origin(url)
        let path = url.path(percentEncoded: true)
        let address = [
            origin.scheme ?? "", url.user() ?? "", url.password() ?? "", origin.host ?? "", "\(origin.port ?? 0)",
            path.isEmpty ? "/" : path,
        ]
        guard parts.count == 2 else { return address }
        let items = parts[1].split(separator: "&", omittingEmptySubsequences: true).enumerated().map { offset, item in
            (name: String(item.prefix { $0 != "=" }), offset: offset, item: String(item))
        }
        return address + ["?" + items.sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.item).joined(separator: "&")]
    }
}
