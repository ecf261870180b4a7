public import Foundation
public import Streams

/// Stores responses. Implementations: ``MemoryResponseCache`` in memory and ``DiskResponseCache`` on disk.
public protocol ResponseCache: Sendable {
    /// Emits the response stored under a key, or `nil`. The stream is cold.
    func response(for key: CachedResponse.Key) -> Observable<CachedResponse?>

    /// Stores a response under a key, replacing any other, and emits one element when done. The stream is cold.
    func store(_ response: CachedResponse, for key: CachedResponse.Key) -> Observable<Void>

    /// Removes the response of a key, and emits one element when done. The stream is cold.
    func remove(_ key: CachedResponse.Key) -> Observable<Void>
}

/// A stored response. Headers that may contain secrets are not stored.
public struct CachedResponse: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The header fields, without cookies and other secrets, and without those of the connection.
    public var headers: HTTPHeaders
    /// The body, decompressed.
    public var body: Data
    /// Digests of the request's values of the headers that the response lists in `Vary`.
    public var variant: [String: String]
    /// The time at which the response was stored.
    public var date: Date

    /// Creates a stored response.
    public init(status: Int, headers: HTTPHeaders, body: Data, variant: [String: String] = [:], date: Date = Date()) {
        self.status = status
        self.headers = headers
        self.body = body
        self.variant = variant
        self.date = date
    }
}

extension CachedResponse {
    /// Creates the stored form of a response if it is cacheable: a complete, successful response to GET or HEAD without `no-store`. A 206 and
    /// a 226 are only a part of one.
    init?(_ response: HTTPResponse, to request: HTTPRequest) {
        let names = response.headers.values("Vary").flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        guard request.isCacheable, (200..<300).contains(response.status), ![206, 226].contains(response.status) else { return nil }
        guard ![request.headers, response.headers].contains(where: { CacheControl($0).contains("no-store") }), !names.contains("*") else {
            return nil
        }
        let variant = names.map { name in (name.lowercased(), request.digest(of: name)) }
        self.init(
            status: response.status,
            headers: HTTPHeaders(response.headers.withoutConnectionFields.filter { !SecretNames.contains($0.name) }),
            body: response.body, variant: Dictionary(variant) { $1 })
    }

    /// Whether the stored response also matches this request: the headers listed in `Vary` are the same.
    func answers(_ request: HTTPRequest) -> Bool {
        request.isCacheable && variant.allSatisfy { name, digest in request.digest(of: name) == digest }
    }

    /// Returns the stored response as the response to a request.
    func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, headers: headers, url: request.url), body: body)
    }
}

extension HTTPRequest {
    /// Whether responses to this request can be cached. The key contains the body, so a body that is read while it is sent prevents
    /// caching.
    var isCacheable: Bool { (method == .get || method == .head) && headers["Range"] == nil && !sendsFiles }

    private var sendsFiles: Bool {
        if case .stream = body { return true }
        return body.inPieces.contains { if case .file = $0 { true } else { false } }
    }

    fileprivate func digest(of header: String) -> String {
        SHA256.hexadecimal(of: headers.values(header).joined(separator: ", ").utf8)
    }
}

extension CachedResponse {
    /// The reason why a cache cannot respond or store.
    public enum Failure: Error, Equatable, Sendable {
        /// Nothing is stored for this request, or nothing that may be used before the server has confirmed it.
        case miss(url: String)
        /// The stored response cannot be read.
        case unreadable(path: String, reason: String)
        /// The response cannot be stored.
        case unwritable(path: String, reason: String)
    }
}

extension CachedResponse.Failure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .miss(let url): "The cache has no response of \(url)."
        case .unreadable(let path, let reason): "The cache cannot read \(path): \(reason)."
        case .unwritable(let path, let reason): "The cache cannot write \(path): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}
