import Foundation
import Streams

/// The settings of a chain, independent of its stage, and the parts that are built from them.
struct ChainSettings: Sendable {
    var transport: any Transport
    var method = HTTPRequest.Method.get
    var route: any URLRouteProvider = ""
    var metadata: [String: String] = [:]
    /// The queries, and the errors of those that could not be encoded.
    var queries: [Result<URLQuery, any Error>] = []
    var encoding = HTTPRequest.Encoding.automatic
    var completion = RequestCompletion()
    var discardsBodies = false
    var access: (refresher: TokenRefresherNode, statuses: Set<Int>)?
    /// The middlewares at ``HTTPMiddleware/Position/request``, and the adapters of responses, both from the outermost to the innermost.
    var requestSteps: [HTTPMiddleware] = []
    var responseSteps: [HTTPMiddleware] = []
    var edits: [HTTPMiddleware.Position: HTTPMiddleware.Edits] = [:]
    var cache: ChainCache?
    var cookies: CookieJar?
    /// The scheduler on which responses are processed.
    var processing: (any Scheduler)?
    var indicator: LoadIndicator?
    /// The aborters of requests.
    var aborters: [Aborter] = []
    /// The transformations of the chain's errors.
    var translations: [@Sendable (any Error) -> any Error] = []
    var log: (filter: OperationLog.Filter, sink: @Sendable (OperationLog) -> Void)?
    var delivery: (any Scheduler)?
    /// Returns the error of a response, even of a successful one, in place of an ``HTTPError``.
    var makeError: (@Sendable (HTTPResponse) -> (any Error)?)?
    var makeDecoder: @Sendable () -> JSONDecoder = { .snakeCaseConverting }
}

/// The request, before the exchange.
extension ChainSettings {
    /// Returns the request that sends `body`, without the additions of the middlewares.
    func request(sending body: any RequestBodyConvertible, _ log: OperationLog.Notes) throws -> HTTPRequest {
        var route = route
        for query in queries { route = try log.notingFailure(as: "query") { QueriedRoute(route: route, query: try query.get()) } }
        return try log.notingFailure(as: "httpRequest") {
            try HTTPRequest(method, to: route, sending: body, as: encoding, metadata: metadata)
        }
    }
}

/// The exchange: the only list that is built, printed and edited.
extension ChainSettings {
    /// The middlewares of a chain, from the outermost to the innermost.
    var middlewares: [HTTPMiddleware] {
        HTTPMiddleware.Position.allCases.flatMap(middlewares(at:)) + processingSteps
    }

    /// Returns the exchange of complete responses through its middlewares.
    func exchange(through middlewares: [HTTPMiddleware]) -> HTTPMiddleware.Rest {
        let discards = discardsBodies && middlewares.allSatisfy { $0.options.contains(.ignoresBody) }
        return middlewares.around { [transport] in transport.exchange($0, discardsBodies: discards) }
    }

    /// Returns an exchange in which the cache responds in place of the network, to a request that is the same up to there.
    func stored(in cache: ChainCache) -> HTTPMiddleware.Rest {
        middlewares(outsideOf: .cache).filter { !$0.options.contains(.networkOnly) }.around(cache.store.read)
    }

    /// The middlewares around a response that is read while it is received.
    var streamingMiddlewares: [HTTPMiddleware] {
        middlewares(outsideOf: .mapHTTPErrors).filter { !$0.options.contains(.wholeResponsesOnly) }
    }

    private func middlewares(outsideOf limit: HTTPMiddleware.Position) -> [HTTPMiddleware] {
        HTTPMiddleware.Position.allCases.prefix { $0 != limit }.flatMap(middlewares(at:)) + (edits[limit]?.outside ?? [])
    }

    private func middlewares(at position: HTTPMiddleware.Position) -> [HTTPMiddleware] {
        let edits = edits[position] ?? HTTPMiddleware.Edits()
        return edits.outside + (edits.replacement.map { [$0] } ?? standard(position)) + edits.inside
    }

    /// Delivers responses on a scheduler: the innermost step.
    private var processingSteps: [HTTPMiddleware] {
        guard let processing else { return [] }
        return [HTTPMiddleware(.after("observe") { $0.observe(on: processing) }, .ignoresBody)]
    }

    private func standard(_ position: HTTPMiddleware.Position) -> [HTTPMiddleware] {
        switch position {
        case .refreshing:
            access.map { access in
                [HTTPMiddleware(.refreshing(with: access.refresher, when: isRefusal(access.statuses)), [.ignoresBody, .networkOnly])]
            } ?? []
        case .completing: [HTTPMiddleware(.before(.completing(completion)), .ignoresBody)]
        case .mapTechnicalErrors: [HTTPMiddleware(.mappingTechnicalErrors, .ignoresBody)]
        case .mapHTTPErrors: [HTTPMiddleware(.after(.checkingStatus { HTTPError($0) ?? makeError?($0) }), .ignoresBody)]
        // The cookies are innermost, so that each attempt of a retry has those of the one before.
        case .request: requestSteps + (cookies.map { [HTTPMiddleware(.before(.cookies(of: $0)), .ignoresBody)] } ?? [])
        case .response: responseSteps
        case .cache: cache?.middlewares ?? []
        }
    }
}

/// The parts around the complete exchange.
extension ChainSettings {
    /// Replaces each ``HTTPError`` by the chain's own error of its response, or by the response if it has none. This happens around all
    /// middlewares, which therefore refresh access and retry, whatever the chain makes of a response.
    func judged(_ responses: Observable<HTTPResponse>) -> Observable<HTTPResponse> {
        guard let makeError else { return responses }
        return responses.catch { error in
            guard let response = (error as? HTTPError)?.failure.response else { throw error }
            if let error = makeError(response) { throw error }
            return .just(response)
        }
    }

    /// Replaces each ``HTTPError`` by the chain's own error of its response, if it has one.
    func judgedErrors<Output>(_ outputs: Observable<Output>) -> Observable<Output> {
        guard let makeError else { return outputs }
        return outputs.mapError { error in (error as? HTTPError).flatMap { makeError($0.failure.response) } ?? error }
    }

    /// Returns a stream of the chain's outputs with its translations of errors, its aborters, its indicator, its log and its delivery.
    func completed<Output>(_ outputs: Observable<Output>) -> Observable<Output> {
        var outputs = outputs
        for translation in translations { outputs = outputs.mapError(translation) }
        for aborter in aborters { outputs = outputs.abortable(by: aborter) }
        if let indicator { outputs = outputs.trackActivity(indicator) }
        if let log { outputs = outputs.logged(log.filter, to: log.sink) }
        guard let delivery else { return outputs }
        return outputs.subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)).observe(on: delivery)
    }

    /// The names of the parts around the exchange, from the outermost to the innermost.
    var outerNames: [String] {
        let around = [
            delivery.map { _ in "observe" }, log.map { _ in "logged" }, indicator.map { _ in "trackActivity" },
        ]
        let inside = aborters.map { _ in "abortable" } + translations.map { _ in "mapError" } + [cache?.policyName]
        return (around + inside).compactMap { $0 }
    }
}
