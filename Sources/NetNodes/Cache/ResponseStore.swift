import Streams

/// The store of responses that chains, nodes and operators use: a cache, and the headers by which its keys vary.
package struct ResponseStore: Sendable {
    let cache: any ResponseCache
    /// The relevant request headers; the same for reading and storing.
    let varying: [String]

    package init(cache: any ResponseCache, varying: [String]) {
        (self.cache, self.varying) = (cache, varying)
    }

    /// Emits the stored response to a request; fails with ``CachedResponse/Failure/miss(url:)`` if there is none that may be used before
    /// the server has confirmed it.
    @Sendable
    func read(_ request: HTTPRequest) -> Observable<HTTPResponse> {
        .logging { log in
            find(request).map { response in
                guard let response else {
                    log.note(.debug, "cached", "no stored response for \(request.redactedURL)")
                    throw CachedResponse.Failure.miss(url: request.redactedURL)
                }
                guard response.mayBeUsedUnconfirmed(for: request) else {
                    log.note(.debug, "cached", "the stored response for \(request.redactedURL) has to be confirmed first")
                    throw CachedResponse.Failure.miss(url: request.redactedURL)
                }
                log.note(.info, "cached", "\(request.redactedURL) served from the cache, \(response.body.count) bytes")
                return response.response(to: request)
            }
        }
    }

    /// Forwards responses to a request and stores those that can be stored.
    func saving(_ responses: Observable<HTTPResponse>, to request: HTTPRequest) -> Observable<HTTPResponse> {
        saving(responses, to: request, as: "storing") { _ in true }
    }

    /// Forwards responses to a request and stores those with a validator.
    func savingValidated(_ responses: Observable<HTTPResponse>, to request: HTTPRequest) -> Observable<HTTPResponse> {
        saving(responses, to: request, as: "storingValidated") { $0.headers["ETag"] != nil || $0.headers["Last-Modified"] != nil }
    }

    /// Emits a request, conditional on its stored response.
    func conditional(_ request: HTTPRequest) -> Observable<HTTPRequest> {
        .logging { log in
            findIfPossible(request, log, as: "conditional").map { $0.map(request.conditional(on:)) ?? request }
        }
    }

    /// Replaces each 304 by the stored response to `request`. If that was removed meanwhile, continues with the stream that `missing`
    /// returns for the 304.
    func replacingNotModified(
        _ responses: Observable<HTTPResponse>, to request: HTTPRequest,
        missing: @escaping @Sendable (HTTPResponse) -> Observable<HTTPResponse>
    ) -> Observable<HTTPResponse> {
        .logging { log in
            responses.concatMap { response in
                guard response.status == 304 else { return Observable.just(response) }
                return findIfPossible(request, log, as: "replacingNotModified").flatMap { stored in
                    guard let stored, stored.isConfirmed(by: request) else { return missing(response) }
                    log.note(.info, "replacingNotModified", "\(request.redactedURL) has not changed")
                    return Observable.just(stored.refreshed(by: response, to: request))
                }
            }
        }
    }

    /// Emits the stored response that matches a request, or `nil`.
    private func find(_ request: HTTPRequest) -> Observable<CachedResponse?> {
        guard request.isCacheable else { return .just(nil) }
        return cache.response(for: CachedResponse.Key(request, varying: varying)).map { stored in
            stored.flatMap { $0.answers(request) ? $0 : nil }
        }
    }

    /// Emits the stored response. If the cache fails, emits `nil`, because the network's response follows.
    private func findIfPossible(_ request: HTTPRequest, _ log: OperationLog.Notes, as node: String) -> Observable<CachedResponse?> {
        find(request).catch { error in
            log.note(.warning, node, redactedDescription(of: error))
            return .just(nil)
        }
    }

    /// Forwards a response immediately and stores it; the stream completes when it has been stored.
    private func saving(
        _ responses: Observable<HTTPResponse>, to request: HTTPRequest, as node: String,
        where isWanted: @escaping @Sendable (CachedResponse) -> Bool
    ) -> Observable<HTTPResponse> {
        .logging { log in
            responses.concatMap { response in
                guard let stored = CachedResponse(response, to: request), isWanted(stored) else { return Observable.just(response) }
                log.note(.debug, node, "stores \(stored.body.count) bytes of \(request.redactedURL)")
                let outcome = AsyncSubject<Void>()
                _ = cache.store(stored, for: CachedResponse.Key(request, varying: varying)).subscribe(outcome)
                return Observable.just(response).concat(
                    outcome.catch { error in
                        log.note(.warning, node, redactedDescription(of: error))
                        return .empty()
                    }.filter { _ in false }.map { _ in response })
            }
        }
    }
}

extension HTTPRequest {
    /// Returns this request, conditional on the stored response.
    fileprivate func conditional(on stored: CachedResponse) -> HTTPRequest {
        var request = self
        guard headers["If-None-Match"] == nil, headers["If-Modified-Since"] == nil else { return self }
        // A server can send a validator that no request may contain, such as one with a carriage return.
        for (condition, validator) in validators {
            let field = stored.headers[validator].map { HTTPHeaders.Field(name: condition, value: $0) }
            if let field, field.isSendable { request.headers.append(field.name, field.value) }
        }
        return request
    }
}

/// The headers of a conditional request, and the headers of a response that they repeat.
private let validators = [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")]

extension CachedResponse {
    /// Returns whether a 304 to this request confirms this response. It confirms another one if the request came with conditions of its
    /// own, or if this response was stored in the meantime.
    fileprivate func isConfirmed(by request: HTTPRequest) -> Bool {
        // A server that knows a tag ignores the date.
        guard let (condition, validator) = validators.first(where: { request.headers[$0.0] != nil }) else { return true }
        return request.headers[condition] == headers[validator]
    }

    /// Returns this response updated by the headers of a 304.
    fileprivate func refreshed(by response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        var whole = self.response(to: request)
        whole.head.headers = headers.updated(by: response.headers)
        whole.metrics = response.metrics
        return whole
    }
}
