import Foundation

#if os(Linux)
    import NetNodes
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPRequest {
    func urlRequest() throws(TransportError) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if case .stream = body { throw .bodyFailed(url: redacted(url), reason: "URLSessionTransport sends no streams") }
        let contents = try body.inPieces.map { piece throws(TransportError) in try content(of: piece) }
        guard body != .none, method != .get, method != .head else { return request }
        request.httpBody = contents.count == 1 ? contents[0] : contents.reduce(into: Data(), +=)
        return request
    }
}

private func content(of piece: HTTPRequest.Body.Piece) throws(TransportError) -> Data {
    switch piece {
    case .data(let data): return data
    case .file(let file):
        do { return try Data(contentsOf: file, options: .mappedIfSafe) } catch {
            throw .unreadableBody(path: file.path, reason: error.localizedDescription.trimmingSuffix("."))
        }
    }
}

extension HTTPResponse.Head {
    init(_ response: HTTPURLResponse, url: URL) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPHeaders.Field(name: $0, value: "\(value)") }
        }
        self.init(status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }), url: url)
    }
}

extension TransportError {
    /// Creates the error that corresponds to a failure of `URLSession`. On Linux most malformed responses are reported as `unknown`, and
    /// only their text distinguishes them.
    init(_ error: any Error, transfer request: HTTPRequest, received: Int64) {
        let url = request.redactedURL
        let reason = error.localizedDescription.trimmingSuffix(".").escapedForDisplay
        guard let error = error as? URLError else {
            self = .other(code: (error as NSError).code, reason: reason, url: url)
            return
        }
        switch error.code {
        case .notConnectedToInternet, .dataNotAllowed: self = .networkUnreachable(url: url)
        case .timedOut: self = .timedOut(.idle, after: request.timeouts.idle ?? .zero, url: url)
        case .cannotConnectToHost: self = .cannotConnect(url: url, reason: reason)
        case .cannotFindHost, .dnsLookupFailed: self = .cannotFindHost(request.url.host(percentEncoded: false) ?? "", url: url)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            self = .secureConnectionFailed(url: url, reason: reason)
        case .networkConnectionLost where received > 0: self = .incompleteBody(url: url, received: received, reason: reason)
        case .networkConnectionLost: self = .connectionLost(url: url, reason: reason)
        case .badServerResponse, .cannotParseResponse, .unsupportedURL, .unknown: self = .malformedResponse(url: url, reason: reason)
        case .cannotDecodeContentData, .cannotDecodeRawData: self = .undecodableBody(url: url, reason: reason)
        default: self = .other(code: error.code.rawValue, reason: reason, url: url)
        }
    }
}
