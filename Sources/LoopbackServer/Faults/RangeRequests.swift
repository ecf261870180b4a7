internal import Bytes

extension LoopbackServer.Route {
    /// Returns this route with support for `Range: bytes=...`: it responds with 206 and the requested part, so that a download can be
    /// resumed. `If-Range` is compared with the response's `ETag` or `Last-Modified`; a weak `ETag` matches nothing. A range beyond the end
    /// gets 416. For multiple ranges, and for streaming bodies, the complete body is sent.
    public func resumable() -> LoopbackServer.Route {
        adapting { request, response in
            guard response.status == 200, let count = response.body.count else { return response }
            let whole = response.header("Accept-Ranges", "bytes")
            if let condition = request.headers["If-Range"], !whole.isExactly(condition) { return whole }
            guard let range = request.headers["Range"].flatMap({ ByteRange($0, of: count) }) else { return whole }
            return whole.part(range.positions, of: count)
        }
    }
}

/// One range of a `Range` header, as positions in a body of a given length.
struct ByteRange: Equatable {
    let positions: Range<Int>

    init?(_ header: String, of count: Int) {
        guard header.hasPrefix("bytes="), !header.contains(",") else { return nil }
        let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (Self.number(parts[0]), Self.number(parts[1])) {
        case (let first?, let last?) where first <= last: positions = min(first, count)..<(last < count ? last + 1 : count)
        case (let first?, nil) where parts[1].isEmpty: positions = min(first, count)..<count
        case (nil, let suffix?) where parts[0].isEmpty: positions = max(0, count - suffix)..<count
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }
}

extension LoopbackServer.Response {
    /// Whether a validator says that this is byte for byte the response that the client has a part of, which a weak one does not.
    ///
    /// Source: [RFC 9110, 13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5).
    fileprivate func isExactly(_ validator: String) -> Bool {
        let tag = headers["ETag"].map(HeaderText.received(entityTag:))
        return !validator.hasPrefix("W/") && [tag, headers["Last-Modified"]].contains(validator)
    }

    fileprivate func part(_ positions: Range<Int>, of count: Int) -> LoopbackServer.Response {
        guard !positions.isEmpty else { return .empty(416).header("Content-Range", "bytes */\(count)") }
        var response = self
        response.status = 206
        response.body = body.slice(positions)
        return response.header("Content-Range", "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(count)")
    }
}
