public import Foundation
public import Streams

/// Keeps responses. There is one in memory, ``MemoryResponseCache``, and one on disk, ``DiskResponseCache``.
public protocol ResponseCache: Sendable {
    /// What is stored under a key, or `nil`: one element. Cold.
    func response(for key: CacheKey) -> Observable<CachedResponse?>

    /// Stores a response in place of any under this key, and sends one element when that is done. Cold.
    func store(_ response: CachedResponse, for key: CacheKey) -> Observable<Void>

    /// Forgets what is stored under a key, and sends one element when that is done. Cold.
    func remove(_ key: CacheKey) -> Observable<Void>
}

/// A response as a cache keeps it. Headers that may hold secrets are not kept.
public struct CachedResponse: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The header fields, without cookies and the like.
    public var headers: HTTPHeaders
    /// The body, decompressed.
    public var body: Data
    /// What the request said in the headers that the response names in `Vary`, as digests.
    public var variant: [String: String]
    /// When it was stored.
    public var date: Date

    public init(status: Int, headers: HTTPHeaders, body: Data, variant: [String: String] = [:], date: Date = Date()) {
        self.status = status
        self.headers = headers
        self.body = body
        self.variant = variant
        self.date = date
    }
}

extension CachedResponse {
    /// The response to a request, if it may be stored: a complete success of GET or HEAD that nobody forbids to keep.
    init?(_ response: HTTPResponse, to request: HTTPRequest) {
        let control = (request.headers.values("Cache-Control") + response.headers.values("Cache-Control")).joined(separator: ",")
            .lowercased()
        let names = response.headers.values("Vary").flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        guard request.isCacheable, (200..<300).contains(response.status), response.status != 206 else { return nil }
        guard !control.contains("no-store"), !names.contains("*") else { return nil }
        let variant = names.map { name in (name.lowercased(), request.digest(of: name)) }
        self.init(
            status: response.status, headers: HTTPHeaders(response.headers.filter { !SecretNames.contains($0.name) }), body: response.body,
            variant: Dictionary(variant) { $1 })
    }

    /// Whether it answers a request as well: what the response named in `Vary` is the same in both.
    func answers(_ request: HTTPRequest) -> Bool {
        request.isCacheable && variant.allSatisfy { name, digest in request.digest(of: name) == digest }
    }

    /// This as the response to a request.
    func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: status, headers: headers, url: request.url), body: body)
    }
}

extension HTTPRequest {
    /// Whether a cache can be asked at all.
    var isCacheable: Bool { (method == .get || method == .head) && headers["Range"] == nil }

    fileprivate func digest(of header: String) -> String {
        SHA256.hexadecimal(of: headers.values(header).joined(separator: ", "))
    }
}

/// Why a cache cannot answer or store.
public enum CacheError: Error, Equatable, Sendable {
    /// Nothing is stored for this request.
    case miss(url: String)
    /// What is stored cannot be read.
    case unreadable(path: String, reason: String)
    /// Nothing can be stored there.
    case unwritable(path: String, reason: String)
}

extension CacheError: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .miss(let url): "The cache has no response of \(url)."
        case .unreadable(let path, let reason): "The cache cannot read \(path): \(reason)."
        case .unwritable(let path, let reason): "The cache cannot write \(path): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}
