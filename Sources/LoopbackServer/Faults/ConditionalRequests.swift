import Foundation

extension LoopbackServer.Route {
    /// Returns this route with an `ETag` derived from each body of status 200, and with 304 if the client already has that body
    /// (`If-None-Match`; or `If-Modified-Since` if the response has a `Last-Modified`). Streaming and generated bodies keep their own
    /// `ETag`.
    public func conditional() -> LoopbackServer.Route {
        adapting { request, response in
            guard response.status == 200 else { return response }
            let tagged = response.tagged
            return tagged.isKnown(by: request) ? tagged.notModified : tagged
        }
    }
}

extension LoopbackServer.Response {
    fileprivate var tagged: LoopbackServer.Response {
        guard headers["ETag"] == nil, let data = body.data else { return self }
        return header("ETag", "\"\(EntityTag.text(of: data))\"")
    }

    fileprivate func isKnown(by request: LoopbackServer.Request) -> Bool {
        guard request.headers["If-None-Match"] == nil else {
            let known = request.headers.values("If-None-Match").flatMap { $0.split(separator: ",") }.map(Self.weaken)
            return known.contains("*")
                || (headers["ETag"].map { known.contains(Self.weaken(HeaderText.received(entityTag: $0)[...])) } ?? false)
        }
        guard let since = request.headers["If-Modified-Since"] else { return false }
        return since == headers["Last-Modified"]
    }

    fileprivate var notModified: LoopbackServer.Response {
        var response = LoopbackServer.Response.empty(304)
        for name in ["ETag", "Last-Modified", "Cache-Control", "Expires", "Vary"] { response.headers[name] = headers[name] }
        response.faults = faults
        return response
    }

    private static func weaken(_ tag: Substring) -> String {
        let trimmed = tag.trimmingCharacters(in: .whitespaces)
        return trimmed.hasPrefix("W/") ? String(trimmed.dropFirst(2)) : trimmed
    }
}

/// A fingerprint of bytes.
///
/// Source: [FNV-1a](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv).
enum EntityTag {
    static func text(of data: Data) -> String {
        let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
