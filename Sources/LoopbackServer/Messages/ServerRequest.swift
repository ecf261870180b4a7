import Foundation

/// A request as it came over the wire, numbered by the server. It is what handlers get and what the server records.
public struct ServerRequest: Sendable, Equatable {
    /// Counts the requests of this server from 1, in the order in which they were complete.
    public let number: Int
    /// The connection that it came on; requests with the same number shared one connection.
    public let connection: Int
    /// The method as it was sent, such as `GET`.
    public let method: String
    /// Path and query as they were sent, still escaped.
    public let target: String
    /// The path without escapes; empty when its escapes are wrong (such a request is answered with 400).
    public let path: String
    /// The query without escapes, in order; `+` counts as a space.
    public let queryItems: [URLQueryItem]
    /// The header fields in order.
    public let headers: ServerHeaders
    /// The body, joined from its chunks where it was sent in chunks.
    public let body: Data
    /// What the `:name` segments of the route's path matched, without escapes.
    public internal(set) var parameters: [String: String] = [:]

    let pathSegments: [String]?
    let minorVersion: Int
    let keepsAlive: Bool

    init(_ parsed: RequestParser.Request, number: Int, connection: Int) {
        let parts = parsed.head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.number = number
        self.connection = connection
        method = parsed.head.method
        target = parsed.head.target
        headers = parsed.head.headers
        body = Data(parsed.body)
        minorVersion = parsed.head.minorVersion
        keepsAlive = parsed.head.keepsAlive
        pathSegments = PercentCoding.segments(of: parts[0])
        path = pathSegments == nil ? "" : PercentCoding.decode(parts[0]) ?? ""
        queryItems = parts.count == 2 ? PercentCoding.queryItems(of: parts[1]) : []
    }

    /// The first value of this query item; an item without `=` has the empty value.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// The body as text; bytes that are not UTF-8 become replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The token of an `Authorization: Bearer` header.
    public var bearerToken: String? { credentials(scheme: "bearer") }

    /// Decodes the JSON body. Throws `DecodingError`.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    func credentials(scheme: String) -> String? {
        guard let value = headers["Authorization"], let blank = value.firstIndex(of: " ") else { return nil }
        guard value[..<blank].lowercased() == scheme else { return nil }
        return value[blank...].trimmingCharacters(in: .whitespaces)
    }
}
