import Foundation

/// Under what a response is stored: a digest of method, URL and the headers that make a difference. It holds no secrets.
///
/// The order of the query's items makes no difference, except among those of one name, where it can mean something. The fragment is left out.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The request headers that make a difference unless one says otherwise.
    ///
    /// `Authorization` is one, so that nobody is ever shown what somebody else was allowed to see.
    public static let usualHeaders = ["Accept", "Accept-Language", "Authorization"]

    /// 64 hexadecimal digits.
    public let digest: String

    /// - Parameter headers: names of the request headers that make a difference; reader and saver must be told the same.
    public init(_ request: HTTPRequest, varying headers: [String] = CacheKey.usualHeaders) {
        let fields = Set(headers.map { $0.lowercased() }).sorted().map { "\($0): \(request.headers.values($0).joined(separator: ", "))" }
        digest = SHA256.hexadecimal(of: ([request.method.rawValue, Self.text(of: request.url)] + fields).joined(separator: "\n"))
    }

    public var description: String { "CacheKey(\(digest.prefix(12)))" }

    private static func text(of url: URL) -> String {
        let withoutFragment = url.absoluteString.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let origin = Origin(url)
        let path = url.path(percentEncoded: true)
        let address = "\(origin.scheme ?? "")://\(url.user() ?? "")@\(origin.host ?? ""):\(origin.port ?? 0)\(path.isEmpty ? "/" : path)"
        guard parts.count == 2 else { return address }
        let items = parts[1].split(separator: "&", omittingEmptySubsequences: true).enumerated().map { offset, item in
            (name: String(item.prefix { $0 != "=" }), offset: offset, item: String(item))
        }
        return address + "?" + items.sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.item).joined(separator: "&")
    }
}
