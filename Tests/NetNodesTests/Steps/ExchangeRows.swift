import Foundation
import NodeKit
import StreamsTesting

@testable import NetNodes

extension StepTable {
    private struct NoToken: Error {}

    private struct Provider: HeaderProvider {
        func headers() throws -> HTTPHeaders { throw NoToken() }
    }

    private static let policy = RetryPolicy.transient(initial: .zero, jitter: 0)
    private static let now = ImmediateScheduler.instance
    private static let locale: HTTPHeaders = ["Accept-Language": "eo"]
    private static let timeouts = HTTPRequest.Timeouts(total: .seconds(1))

    @Sendable
    private static func refresher() -> TokenRefresherNode { TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in } }

    /// A jar with a cookie for the request of the test.
    private static func filledJar() -> CookieJar {
        let jar = CookieJar(CookieClock())
        jar.receive(["id=1"], from: "https://example.com/")
        return jar
    }

    /// A cache that has, if `isFilled`, a response to the request of the test.
    private static func store(isFilled: Bool = false) -> ResponseStore {
        let store = ResponseStore(cache: MemoryResponseCache(), varying: [])
        guard isFilled, let url = URL(string: "https://example.com/teas") else { return store }
        let request = HTTPRequest(.get, url)
        let response = HTTPResponse.text("stored", headers: ["ETag": "\"1\""], to: request)
        _ = store.saving(.just(response), to: request).ended()
        return store
    }

    /// The steps between a request and its response, each of which can be a middleware.
    static let exchangeRows = headerRows + repeatingRows + cacheRows + surroundingRows

    private static let headerRows = [
        StepRow("HeaderInjectorNode") {
            .before(.injecting(locale))
        } node: {
            HeaderInjectorNode(headers: locale, next: $0)
        } operator: { requests, send in
            requests.headers(locale).flatMap { send($0) }
        },
        StepRow("CookieJarNode") {
            .before(.cookies(of: filledJar()))
        } node: {
            CookieJarNode(jar: filledJar(), next: $0)
        } operator: { requests, send in
            requests.cookies(of: filledJar()).flatMap { send($0) }
        },
        StepRow("RequestCreatorNode") {
            .before(.completing(RequestCompletion(providers: [locale], timeouts: timeouts, redirects: .deliver)))
        } node: {
            RequestCreatorNode(providers: [locale], timeouts: timeouts, redirects: .deliver, next: $0)
        } operator: { requests, send in
            requests.completing(headersFrom: [locale], timeouts: timeouts, redirects: .deliver).flatMap { send($0) }
        },
        StepRow("RequestCreatorNode without a token") {
            .before(.completing(RequestCompletion(providers: [Provider()])))
        } node: {
            RequestCreatorNode(providers: [Provider()], next: $0)
        } operator: { requests, send in
            requests.headers(from: Provider()).flatMap { send($0) }
        },
    ]

    private static let repeatingRows = [
        StepRow("RetryNode") {
            .retrying(policy, scheduler: now)
        } node: {
            RetryNode(policy: policy, scheduler: now, next: $0)
        } operator: { requests, send in
            requests.through(.retrying(policy, scheduler: now), to: send)
        },
        StepRow("RetryNode for unsafe methods") {
            .retrying(policy, repeatsUnsafeMethods: true, scheduler: now)
        } node: {
            RetryNode(policy: policy, repeatsUnsafeMethods: true, scheduler: now, next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0).retry(policy, scheduler: now) }
        },
        StepRow("AccessSafeNode") {
            .refreshing(with: refresher(), when: isRefusal([401, 403]))
        } node: {
            AccessSafeNode(refresher: refresher(), next: $0)
        } operator: { requests, send in
            let refresher = refresher()
            return requests.flatMap { send($0).refreshing(with: refresher) }
        },
        StepRow("TechnicalErrorMapperNode") {
            .mappingTechnicalErrors
        } node: {
            TechnicalErrorMapperNode(next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0) }.mapTechnicalErrors()
        },
    ]

    private static let cacheRows = [
        StepRow("URLCacheWriterNode") {
            .storing(in: store())
        } node: {
            URLCacheWriterNode(cache: store().cache, next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0).storing(in: store().cache, for: $0) }
        },
        StepRow("ETagSaverNode") {
            .storingValidated(in: store())
        } node: {
            ETagSaverNode(cache: store().cache, next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0).storingValidated(in: store().cache, for: $0) }
        },
        StepRow("ETagReaderNode") {
            .conditional(on: store(isFilled: true))
        } node: {
            ETagReaderNode(cache: store(isFilled: true).cache, varying: [], next: $0)
        } operator: { requests, send in
            requests.conditional(on: store(isFilled: true).cache, varying: []).flatMap { send($0) }
        },
        StepRow("NotModifiedTriggerNode") {
            .replacingNotModified(from: store(isFilled: true))
        } node: {
            NotModifiedTriggerNode(cache: store(isFilled: true).cache, varying: [], next: $0)
        } operator: { requests, send in
            requests.through(.replacingNotModified(from: store(isFilled: true)), to: send)
        },
        StepRow("URLCacheReaderNode") {
            Step<HTTPRequest, HTTPResponse, HTTPResponse, HTTPResponse>.cached(in: store(isFilled: true)).asExchange
        } node: { _ in
            URLCacheReaderNode(cache: store(isFilled: true).cache, varying: [], next: AnyNode { .just($0) })
        } operator: { requests, _ in
            requests.cached(in: store(isFilled: true).cache, varying: [])
        },
        StepRow("FirstCachePolicyNode") {
            .precededByCached(store(isFilled: true).read)
        } node: {
            FirstCachePolicyNode(cache: AnyNode(store(isFilled: true).read), next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0).precededByCached(store(isFilled: true).read($0)) }
        },
        StepRow("IfConnectionFailedFromCacheNode") {
            .ifConnectionFails(use: store(isFilled: true).read)
        } node: {
            IfConnectionFailedFromCacheNode(cache: AnyNode(store(isFilled: true).read), next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0).ifConnectionFails(use: store(isFilled: true).read($0)) }
        },
    ]

    private static let surroundingRows = [
        StepRow("AborterNode") {
            .after("AborterNode") { $0.abortable(by: Aborter()) }
        } node: {
            AborterNode(aborter: Aborter(), next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0) }.abortable(by: Aborter())
        },
        StepRow("LoadIndicatableNode") {
            .after("LoadIndicatableNode") { $0.trackActivity(LoadIndicator()) }
        } node: {
            LoadIndicatableNode(indicator: LoadIndicator(), next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0) }.trackActivity(LoadIndicator())
        },
        StepRow("LoggerNode") {
            .after("LoggerNode") { $0.logged { _ in } }
        } node: {
            LoggerNode(sink: { _ in }, next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0) }.logged { _ in }
        },
        StepRow("ChainConfiguratorNode") {
            .after("ChainConfiguratorNode") { $0.subscribe(on: now).observe(on: now) }
        } node: {
            ChainConfiguratorNode(startOn: now, deliverOn: now, next: $0)
        } operator: { requests, send in
            requests.flatMap { send($0) }.subscribe(on: now).observe(on: now)
        },
    ]
}

extension Step<HTTPRequest, HTTPResponse, HTTPResponse, HTTPResponse> {
    /// This step as one between requests and responses, which sends nothing.
    fileprivate var asExchange: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse> {
        Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>(name) { request, _ in stream(request) { .just($0) } }
    }
}
