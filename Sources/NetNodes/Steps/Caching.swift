public import Streams

extension Step where Input == HTTPRequest, NextInput == HTTPResponse, Output == NextOutput {
    /// Responds from a cache.
    package static func cached(in store: ResponseStore) -> Step {
        Step("cached") { request, rest in store.read(request).flatMap { rest($0) } }
    }
}

extension Step where Input == HTTPRequest, NextInput == HTTPRequest, Output == NextOutput {
    /// Makes a request conditional.
    package static func conditional(on store: ResponseStore) -> Step {
        Step("conditional") { request, rest in store.conditional(request).flatMap { rest($0) } }
    }
}

extension Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse> {
    /// Stores each cacheable response.
    package static func storing(in store: ResponseStore) -> Step {
        Step("storing") { request, rest in store.saving(rest(request), to: request) }
    }

    /// Stores the responses with a validator.
    package static func storingValidated(in store: ResponseStore) -> Step {
        Step("storingValidated") { request, rest in store.savingValidated(rest(request), to: request) }
    }

    /// Replaces a 304 by the stored response. If that was removed meanwhile, repeats the request without its conditions.
    package static func replacingNotModified(from store: ResponseStore) -> Step {
        Step("replacingNotModified") { request, rest in
            store.replacingNotModified(rest(request), to: request) { _ in rest(request.removingConditions) }
        }
    }
}

extension Step where Input == NextInput, Output == NextOutput {
    /// Emits the outputs of `cache` and then those of the rest.
    package static func precededByCached(_ cache: @escaping Rest) -> Step {
        Step("precededByCached") { input, rest in rest(input).precededByCached(cache(input)) }
    }

    /// Emits the outputs of `cache` if the connection fails.
    package static func ifConnectionFails(use cache: @escaping Rest) -> Step {
        Step("ifConnectionFails") { input, rest in rest(input).ifConnectionFails(use: cache(input)) }
    }
}

extension HTTPRequest {
    fileprivate var removingConditions: HTTPRequest {
        var request = self
        for name in ["If-None-Match", "If-Modified-Since"] { request.headers.removeAll(name) }
        return request
    }
}

extension ObservableType<HTTPRequest> {
    /// Emits the stored response to each request; fails with ``CachedResponse/Failure/miss(url:)`` if there is none that may be used before
    /// the server has confirmed it.
    public func cached(in cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders) -> Observable<HTTPResponse> {
        through(.cached(in: ResponseStore(cache: cache, varying: varying)), to: { .just($0) })
    }

    /// Emits each request, made conditional on its stored response.
    public func conditional(on cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders) -> Observable<HTTPRequest> {
        through(.conditional(on: ResponseStore(cache: cache, varying: varying)), to: { .just($0) })
    }
}

extension ObservableType<HTTPResponse> {
    /// Stores the cacheable responses to `request` and forwards all responses immediately.
    public func storing(
        in cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CachedResponse.Key.usualHeaders
    ) -> Observable<HTTPResponse> {
        ResponseStore(cache: cache, varying: varying).saving(asObservable(), to: request)
    }

    /// Stores the responses to `request` that have an `ETag` or a `Last-Modified`, and forwards all responses immediately.
    public func storingValidated(
        in cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CachedResponse.Key.usualHeaders
    ) -> Observable<HTTPResponse> {
        ResponseStore(cache: cache, varying: varying).savingValidated(asObservable(), to: request)
    }

    /// Emits the stored response to `request` in place of each 304; a 304 without a stored response is forwarded.
    public func replacingNotModified(
        from cache: any ResponseCache, for request: HTTPRequest, varying: [String] = CachedResponse.Key.usualHeaders
    ) -> Observable<HTTPResponse> {
        ResponseStore(cache: cache, varying: varying).replacingNotModified(asObservable(), to: request) { .just($0) }
    }
}

extension ObservableType {
    /// Emits the elements of `cached` and then those of this stream. An error of `cached` ends only `cached`.
    ///
    /// ```swift
    /// network.precededByCached(cached)
    /// // cached  --a#
    /// // network    --b--|
    /// //         --a--b--|
    /// ```
    public func precededByCached(_ cached: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            cached.catch { error in
                guard !(error is CachedResponse.Failure) else { return .empty() }
                log.note(.warning, "precededByCached", "the stored response cannot be used: \(redactedDescription(of: error))")
                return .empty()
            }.concat(source)
        }
    }

    /// Switches to `fallback` after a technical error; if `fallback` fails, the stream fails with the technical error.
    public func ifConnectionFails(use fallback: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            source.catch { error in
                guard error is TechnicalError || TechnicalError(error) != nil else { throw error }
                log.note(.warning, "ifConnectionFails", "falls back to the cache: \(redactedDescription(of: error))")
                return fallback.asObservable().catch { _ in throw error }
            }
        }
    }
}
