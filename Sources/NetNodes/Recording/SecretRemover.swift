import Foundation

/// Takes secrets out of exchanges: the values of headers, query items, members of JSON and fields of forms whose names tell that they are
/// secret, and those values wherever else they occur.
struct SecretRemover {
    static let replacement = "***"
    /// Values that are so short occur everywhere.
    private static let shortestValue = 6

    private var secrets: Set<String> = []

    /// Learns the secrets of these exchanges.
    init(_ exchanges: [Recording.Exchange]) {
        for exchange in exchanges { learn(exchange) }
    }

    /// The exchange without secrets.
    func cleaned(_ exchange: Recording.Exchange) -> Recording.Exchange {
        var clean = exchange
        clean.url = cleaned(url: exchange.url)
        clean.requestHeaders = cleaned(exchange.requestHeaders)
        clean.requestBody = exchange.requestBody.map(cleaned)
        clean.head?.headers = cleaned(exchange.head?.headers ?? [:])
        if let head = exchange.head { clean.head?.url = URL(string: cleaned(url: head.url.absoluteString)) ?? head.url }
        clean.body = cleaned(exchange.body)
        if case .failed(let kind, let reason) = exchange.ending { clean.ending = .failed(kind: kind, reason: cleaned(text: reason)) }
        return clean
    }

    /// The text of a URL without user, password, fragment and the values of secret query items.
    func cleaned(url text: String) -> String {
        let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var address = String(parts.first ?? "")
        if let authority = address.range(of: "://") {
            let end = address[authority.upperBound...].firstIndex(of: "/") ?? address.endIndex
            if let at = address[authority.upperBound..<end].lastIndex(of: "@") { address.removeSubrange(authority.upperBound...at) }
        }
        address = cleaned(text: address)
        return parts.count == 2 ? address + "?" + cleaned(form: String(parts[1])) : address
    }

    /// Whether a thing of this name is a secret.
    static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        let parts = ["token", "secret", "password", "passwd", "apikey", "authorization", "cookie", "session", "signature", "credential"]
        return parts.contains { plain.contains($0) } || ["key", "sig", "auth", "pin", "otp", "pwd"].contains(plain)
    }
}

/// What is secret.
extension SecretRemover {
    private mutating func learn(_ exchange: Recording.Exchange) {
        for headers in [exchange.requestHeaders, exchange.head?.headers ?? [:]] {
            for field in headers where Self.isSecret(field.name) { learn(field) }
        }
        for url in [exchange.url, exchange.head?.url.absoluteString ?? ""] {
            let components = URLComponents(string: url)
            if let password = components?.password { learn(password) }
            for item in components?.queryItems ?? [] where Self.isSecret(item.name) { learn(item.value ?? "") }
        }
        for body in [exchange.requestBody, exchange.body] {
            guard case .text(let text)? = body else { continue }
            if let tree = try? JSON(parsing: text) { learn(tree) } else { learn(form: text) }
        }
    }

    private mutating func learn(_ value: String) {
        if value.utf8.count >= Self.shortestValue, value != Self.replacement { secrets.insert(value) }
    }

    /// `Authorization: Bearer x`, `Cookie: id=x; other=x`, `Set-Cookie: id=x; Path=/`: what counts is `x`.
    private mutating func learn(_ field: HTTPHeaders.Field) {
        learn(field.value)
        let name = field.name.lowercased()
        guard name.contains("cookie") else {
            if let blank = field.value.firstIndex(of: " ") { learn(String(field.value[blank...].dropFirst())) }
            return
        }
        let pairs = field.value.split(separator: ";")
        for pair in name.hasPrefix("set-") ? pairs.prefix(1) : pairs[...] {
            if let equals = pair.firstIndex(of: "=") { learn(String(pair[equals...].dropFirst())) }
        }
    }

    private mutating func learn(_ tree: JSON) {
        for element in tree.array ?? [] { learn(element) }
        for (name, value) in tree.object ?? [:] {
            if Self.isSecret(name), let text = value.string { learn(text) } else { learn(value) }
        }
    }

    private mutating func learn(form text: String) {
        for item in text.split(separator: "&") where item.contains("=") {
            let name = item.prefix { $0 != "=" }
            if Self.isSecret(String(name)) { learn(String(item.dropFirst(name.count + 1))) }
        }
    }
}

/// What is left.
extension SecretRemover {
    private func cleaned(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                let value = Self.isSecret(field.name) ? Self.replacement : cleaned(text: field.value)
                return HTTPHeaders.Field(name: field.name, value: value)
            })
    }

    private func cleaned(_ body: Recording.Body) -> Recording.Body {
        guard case .text(let text) = body else { return body }
        guard let tree = try? JSON(parsing: text) else { return .text(cleaned(text: text.contains("=") ? cleaned(form: text) : text)) }
        let clean = cleaned(tree)
        return .text(clean == tree ? text : clean.text())
    }

    private func cleaned(_ tree: JSON) -> JSON {
        switch tree {
        case .array(let elements): .array(elements.map(cleaned))
        case .object(let members):
            .object(JSON.Object(members.map { name, value in (name, Self.isSecret(name) ? hidden(value) : cleaned(value)) }))
        case .string(let text): .string(cleaned(text: text))
        case .null, .bool, .number: tree
        }
    }

    /// A secret of the same kind, so that what is replayed can still be decoded.
    private func hidden(_ value: JSON) -> JSON {
        switch value {
        case .string: JSON(Self.replacement)
        case .number: 0
        case .array, .object: cleaned(value)
        case .null, .bool: value
        }
    }

    private func cleaned(form text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            guard item.contains("="), Self.isSecret(String(name).removingPercentEncoding ?? "") else { return cleaned(text: String(item)) }
            return "\(name)=\(Self.replacement)"
        }.joined(separator: "&")
    }

    /// The longest secrets first: one may be a part of another.
    private func cleaned(text: String) -> String {
        secrets.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) { $0.replacing($1, with: Self.replacement) }
    }
}
