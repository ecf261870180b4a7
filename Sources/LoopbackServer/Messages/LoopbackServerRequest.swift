import Foundation

extension LoopbackServer {
    /// A request as received, with a number. Handlers receive it and the server records it.
    public struct Request: Sendable, Equatable {
        /// The number of the request, counted from 1 in the order of completion.
        public let number: Int
        /// The number of its connection; requests with the same number shared one connection.
        public let connection: Int
        /// The method as sent, such as `GET`.
        public let method: String
        /// Path and query as sent, percent-encoded.
        public let target: String
        /// The percent-decoded path; empty if the encoding is malformed (such a request is answered with 400).
        public let path: String
        /// The percent-decoded query items, in order; `+` is decoded as a space.
        public let queryItems: [URLQueryItem]
        /// The header fields in order.
        public let headers: HTTPHeaders
        /// The body; joined if it was sent in chunks.
        public let body: Data
        /// The percent-decoded values of the `:name` segments of the route's path.
        public internal(set) var parameters: [String: String] = [:]

        /// The body of a route that consumes it while it arrives.
        var upload: Upload?

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

        /// Returns the first value of this query item; an item without `=` has an empty value.
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
}
