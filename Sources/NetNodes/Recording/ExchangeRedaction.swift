import Foundation

/// Requests and responses.
extension Redactor {
    /// Creates a redactor that knows the secrets of these exchanges.
    init(_ exchanges: [Recording.Exchange]) {
        var collected = CollectedSecrets()
        for exchange in exchanges { collected.learn(exchange) }
        self.init(collected.known)
    }

    /// Returns the exchange, redacted.
    func redacted(_ exchange: Recording.Exchange) -> Recording.Exchange {
        var clean = exchange
        clean.url = redacted(url: exchange.url)
        clean.requestHeaders = redacted(exchange.requestHeaders)
        clean.requestBody = exchange.requestBody.map { redacted($0, exchange.requestHeaders) }
        if let head = exchange.head {
            clean.head?.headers = redacted(head.headers)
            clean.head?.url = URL(lenient: redacted(url: head.url.absoluteString)) ?? head.url.withoutUser
        }
        clean.body = redacted(exchange.body, exchange.head?.headers ?? [:])
        if case .failed(let kind, let reason) = exchange.ending { clean.ending = .failed(kind: kind, reason: redacted(text: reason)) }
        return clean
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

extension CollectedSecrets {
    fileprivate mutating func learn(_ exchange: Recording.Exchange) {
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
        learn(body.data, contentType: headers["Content-Type"] ?? "")
    }
}
