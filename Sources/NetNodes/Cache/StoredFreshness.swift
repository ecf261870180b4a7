import Foundation

/// Whether a stored response may be used before the server has confirmed it.
extension CachedResponse {
    /// Whether the response may answer a request without a confirmation by the server: neither of them has `no-cache`, and the response has
    /// no `must-revalidate` or is fresh. `s-maxage` and `proxy-revalidate` are for caches that several users share.
    ///
    /// Source: [RFC 9111, 4.2.4 and 5.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.4).
    func mayBeUsedUnconfirmed(for request: HTTPRequest, at now: Date = Date()) -> Bool {
        let control = CacheControl(headers)
        guard !control.contains("no-cache"), !CacheControl(request.headers).contains("no-cache") else { return false }
        return !control.contains("must-revalidate") || isFresh(control, at: now)
    }

    /// Source: [RFC 9111, 4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2).
    private func isFresh(_ control: CacheControl, at now: Date) -> Bool {
        let sent = headers["Date"].flatMap(httpDate) ?? date
        let expiry = headers["Expires"].map { httpDate($0)?.timeIntervalSince(sent) ?? 0 }
        guard let lifetime = control.seconds("max-age") ?? expiry else { return false }
        let ageWhenStored = max(date.timeIntervalSince(sent), headers["Age"].flatMap(Double.init) ?? 0, 0)
        let timeStored = now.timeIntervalSince(date)
        // The clock may have been set back.
        return timeStored >= 0 && ageWhenStored + timeStored < lifetime
    }
}

extension HTTPHeaders {
    /// These fields without those that concern one connection only.
    ///
    /// Source: [RFC 9110, 7.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1) and
    /// [RFC 9111, 3.1](https://www.rfc-editor.org/rfc/rfc9111#section-3.1).
    var withoutConnectionFields: HTTPHeaders {
        let names = Set(tokens(in: "Connection")).union(connectionFields)
        return HTTPHeaders(filter { !names.contains($0.name.lowercased()) })
    }

    /// These fields, updated by those of a 304. The body was stored as it was decoded, so what tells how it was sent stays.
    ///
    /// Source: [RFC 9111, 3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2).
    func updated(by told: HTTPHeaders) -> HTTPHeaders {
        var stored = self
        // The age was that of an earlier response.
        stored.removeAll("Age")
        return stored.merging(HTTPHeaders(told.withoutConnectionFields.filter { !bodyFields.contains($0.name.lowercased()) }))
    }
}

private let connectionFields: Set = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection", "te",
    "transfer-encoding", "upgrade",
]

private let bodyFields: Set = ["content-encoding", "content-length", "content-range"]
