import Foundation
public import Streams

/// Requests and responses.
extension Redactor {
    /// Creates a redactor that knows the secrets of these exchanges.
    init(_ exchanges: [Recording.Exchange]) {
        var collected = CollectedSecrets()
        for exchange in exchanges { collected.learn(exchange) }
        self.init(collected.known)
    }

    /// Returns whether a header must neither be displayed nor sent to another origin, because of its name, or because its value contains a
    /// named secret.
    static func isSecret(_ field: HTTPHeaders.Field) -> Bool {
        if SecretNames.contains(field.name) { return true }
        var scanner = SecretScanner(Array(field.value.utf8))
        scanner.run()
        return scanner.hasFound
    }

    /// Returns the exchange, redacted.
    func redacted(_ exchange: Recording.Exchange) -> Recording.Exchange {
        var clean = exchange
        clean.url = redacted(url: exchange.url)
        clean.requestHeaders = redacted(exchange.requestHeaders)
        clean.requestBody = exchange.requestBody.map { redacted($0, exchange.requestHeaders) }
        if let head = exchange.head {
            clean.head?.headers = redacted(head.headers)
            clean.head?.url = URL(outside: redacted(url: head.url.absoluteString)) ?? head.url.withoutUser
        }
        clean.body = redacted(exchange.body, exchange.head?.headers ?? [:])
        if case .failed(let kind, let reason) = exchange.ending { clean.ending = .failed(kind: kind, reason: redacted(text: reason)) }
        return clean
    }

    func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                let value = SecretNames.contains(field.name) ? Self.mark : redacted(text: field.value)
                return HTTPHeaders.Field(name: field.name, value: value)
            })
    }
}

/// Bodies.
extension Redactor {
    /// Returns a body, redacted. If the body is binary, only its length is kept, unless it is media or the like.
    func redacted(_ body: Recording.Body, _ headers: HTTPHeaders) -> Recording.Body {
        if case .omitted = body { return body }
        let data = body.data
        let type = headers["Content-Type"]?.lowercased() ?? ""
        if let form = MultipartText(data, contentType: headers["Content-Type"] ?? "") {
            return .text(form.redacted { redactedText(Data($0)) ?? "(\($0.count) bytes)" })
        }
        if let text = redactedText(data) { return .text(text) }
        let isMedia = ["image/", "audio/", "video/", "font/", "application/octet-stream", "application/pdf"].contains { type.hasPrefix($0) }
        let bytes = Array(data)
        return isMedia && redacted(bytes) == bytes ? .bytes(data) : .omitted(bytes: data.count)
    }

    private func redactedText(_ data: Data) -> String? {
        guard String(validating: data, as: UTF8.self) != nil else { return nil }
        return String(validating: redacted(Array(data)), as: UTF8.self)
    }
}

/// The secrets of exchanges.
private struct CollectedSecrets {
    private var values = SecretValues()
    /// The secret names that were encountered. They are not values, but a careless test may use them as values.
    private var names: Set<[UInt8]> = []

    var known: SecretValues {
        var known = values
        for name in names { known.remove(name) }
        return known
    }

    mutating func learn(_ exchange: Recording.Exchange) {
        for headers in [exchange.requestHeaders, exchange.head?.headers ?? [:]] {
            for field in headers { learn(field) }
        }
        for url in [exchange.url, exchange.head?.url.absoluteString ?? ""] { learn(Array(url.utf8)) }
        learn(exchange.requestBody, exchange.requestHeaders)
        learn(exchange.body, exchange.head?.headers ?? [:])
    }

    private mutating func learn(_ body: Recording.Body?, _ headers: HTTPHeaders) {
        guard let body else { return }
        if case .omitted = body { return }
        if let form = MultipartText(body.data, contentType: headers["Content-Type"] ?? "") {
            for part in form.parts {
                if part.isSecret { values.insert(Array(part.content)) } else { learn(Array(part.content)) }
            }
        } else {
            learn(Array(body.data))
        }
    }

    private mutating func learn(_ bytes: [UInt8]) {
        var scanner = SecretScanner(bytes)
        scanner.run()
        names.formUnion(scanner.names)
        for value in scanner.hidden { values.insert(value) }
    }

    /// Learns the secrets of a field: in `Authorization: Bearer x`, `Cookie: id=x; other=x`, `Set-Cookie: id=x; Path=/` the secret is `x`.
    private mutating func learn(_ field: HTTPHeaders.Field) {
        guard SecretNames.contains(field.name) else { return learn(Array(field.value.utf8)) }
        values.insert(Array(field.value.utf8))
        let name = field.name.lowercased()
        guard name.contains("cookie") else {
            if let blank = field.value.firstIndex(of: " ") { values.insert(Array(field.value[blank...].dropFirst().utf8)) }
            return
        }
        let pairs = field.value.split(separator: ";")
        for pair in name.hasPrefix("set-") ? pairs.prefix(1) : pairs[...] {
            if let equals = pair.firstIndex(of: "=") { values.insert(Array(pair[equals...].dropFirst().utf8)) }
        }
    }
}

/// Errors that quote a request or a response omit the quotation in logs, because it could be a secret.
extension HTTPError: RedactedError {
    public var redactedDescription: String { "\(failure.url) responded with \(status)" }
}

extension JSONError: RedactedError {
    public var redactedDescription: String { "the body is not JSON (line \(line), column \(column))" }
}

extension ModelError: RedactedError {
    public var redactedDescription: String {
        switch self {
        case .undecodable(let type, let path, _): "the body does not match \(type) at \(path.isEmpty ? "top level" : path)"
        case .unencodable(let type, let path, _): "\(type) cannot be encoded at \(path.isEmpty ? "top level" : path)"
        }
    }
}

extension TransportError: RedactedError {}
extension TechnicalError: RedactedError {}
extension RouteError: RedactedError {}
extension RequestEncodingError: RedactedError {}
extension ServerSentEventError: RedactedError {}
