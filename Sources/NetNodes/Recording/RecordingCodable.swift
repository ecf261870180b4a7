import Foundation

extension Recording {
    private enum Key: String, CodingKey {
        case version, exchanges
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version <= Self.version else { throw Failure.unsupportedVersion(version) }
        exchanges = try container.decode([Exchange].self, forKey: .exchanges)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(exchanges, forKey: .exchanges)
    }
}

extension Recording.Body: Codable {
    private enum Key: String, CodingKey {
        case text, base64, omittedBytes
    }

    /// The maximum number of omitted bytes: a file of a few bytes must not produce a body of any size.
    private static let mostOmitted = 1 << 30

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let count = try container.decodeIfPresent(Int.self, forKey: .omittedBytes) {
            guard (0...Self.mostOmitted).contains(count) else {
                throw DecodingError.dataCorruptedError(forKey: .omittedBytes, in: container, debugDescription: "the body is too long")
            }
            self = .omitted(bytes: count)
        } else {
            self = .bytes(try container.decode(Data.self, forKey: .base64))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .bytes(let data): try container.encode(data, forKey: .base64)
        case .omitted(let count): try container.encode(count, forKey: .omittedBytes)
        }
    }
}

extension Recording.Exchange: Codable {
    private struct Request: Codable {
        var method: String
        var url: String
        var headers: [[String]]
        var body: Recording.Body?
    }

    private struct Response: Codable {
        var status: Int
        var url: String
        var headers: [[String]]
    }

    private struct Failure: Codable {
        var kind: String
        var reason: String
    }

    private enum Key: String, CodingKey {
        case request, response, body, isOpen, failure
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let request = try container.decode(Request.self, forKey: .request)
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(isTokenByte) else {
            throw DecodingError.dataCorruptedError(forKey: .request, in: container, debugDescription: "the method is not a token")
        }
        guard URL(lenient: request.url)?.host() != nil else {
            throw DecodingError.dataCorruptedError(forKey: .request, in: container, debugDescription: "the URL is not valid")
        }
        let failure = try container.decodeIfPresent(Failure.self, forKey: .failure)
        let isOpen = try container.decodeIfPresent(Bool.self, forKey: .isOpen) ?? false
        self.init(
            method: request.method, url: request.url, requestHeaders: try Self.headers(request.headers, container),
            requestBody: request.body, head: try Self.head(container),
            body: try container.decodeIfPresent(Recording.Body.self, forKey: .body) ?? .text(""),
            ending: failure.map { .failed(kind: $0.kind, reason: $0.reason.escapedForDisplay) } ?? (isOpen ? .open : .complete))
        guard head != nil || failure != nil || isOpen else {
            throw DecodingError.dataCorruptedError(
                forKey: .response, in: container, debugDescription: "there is neither response nor failure")
        }
    }

    private static func head(_ container: KeyedDecodingContainer<Key>) throws -> HTTPResponse.Head? {
        guard let response = try container.decodeIfPresent(Response.self, forKey: .response) else { return nil }
        guard (200..<600).contains(response.status), let url = URL(lenient: response.url) else {
            throw DecodingError.dataCorruptedError(forKey: .response, in: container, debugDescription: "the status or the URL is not valid")
        }
        return HTTPResponse.Head(status: response.status, headers: try headers(response.headers, container), url: url)
    }

    private static func headers(_ fields: [[String]], _ container: KeyedDecodingContainer<Key>) throws -> HTTPHeaders {
        guard fields.allSatisfy({ $0.count == 2 }) else {
            throw DecodingError.dataCorruptedError(forKey: .request, in: container, debugDescription: "a header is not a name and a value")
        }
        return HTTPHeaders(fields.map { HTTPHeaders.Field(name: $0[0], value: $0[1]) })
    }

    public func encode(to encoder: any Encoder) throws {
        func pairs(_ headers: HTTPHeaders) -> [[String]] { headers.map { [$0.name, $0.value] } }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Request(method: method, url: url, headers: pairs(requestHeaders), body: requestBody), forKey: .request)
        let response = head.map { Response(status: $0.status, url: $0.url.absoluteString, headers: pairs($0.headers)) }
        try container.encodeIfPresent(response, forKey: .response)
        if head != nil { try container.encode(body, forKey: .body) }
        switch ending {
        case .complete: break
        case .open: try container.encode(true, forKey: .isOpen)
        case .failed(let kind, let reason): try container.encode(Failure(kind: kind, reason: reason), forKey: .failure)
        }
    }
}
