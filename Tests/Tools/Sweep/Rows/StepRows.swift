import Foundation
import NetNodes
import StreamsTesting

extension Row {
    /// A request that passes one more step of a chain, from the call to the response, over a transport that answers at once.
    @RowBuilder static var steps: [Row] {
        request("response", of: "no further step") { $0 }
        request("abortable(by:)") { $0.abortable(by: Aborter()) }
        request("adaptingRequests(_:)") { $0.adaptingRequests { $0 } }
        request("adaptingResponses(_:)") { $0.adaptingResponses { $0 } }
        request("bulkhead(_:)") { $0.bulkhead(Bulkhead(maxConcurrent: 2, queueCapacity: 2, scheduler: TestScheduler())) }
        request("cached(in:_:varying:)") { $0.cached(in: MemoryResponseCache()) }
        request("circuitBreaker(_:)") {
            $0.circuitBreaker(CircuitBreaker(.consecutiveFailures(2), openFor: .seconds(1), scheduler: TestScheduler()))
        }
        request("discardingBodies()") { $0.discardingBodies() }
        request("headers(_:)") { $0.headers(["A": "b"]) }
        request("hedge(_:)") { $0.hedge(Hedging(after: .fixed(.seconds(1)), scheduler: TestScheduler())) }
        request("httpErrors(_:)") { $0.httpErrors { _ in nil } }
        request("inserting(_:)") { $0.inserting(HTTPMiddleware("a") { request, rest in rest(request) }) }
        request("inserting(_:inside:)") {
            $0.inserting(HTTPMiddleware("a") { request, rest in rest(request) }, inside: .cache)
        }
        request("inserting(_:outside:)") {
            $0.inserting(HTTPMiddleware("a") { request, rest in rest(request) }, outside: .cache)
        }
        request("replacing(_:with:)") {
            $0.replacing(.mapTechnicalErrors, with: HTTPMiddleware("a") { request, rest in rest(request) })
        }
        request("log(_:to:)") { $0.log { _ in Receipt.note() } }
        request("maximumBodySize(_:)") { $0.maximumBodySize(1_000_000) }
        request("maximumHeaderSize(_:)") { $0.maximumHeaderSize(100_000) }
        request("cookies(_:)") { $0.cookies(CookieJar()) }
        request("showingQuery(of:)") { $0.showingQuery(of: "a") }
        request("metadata(_:)") { $0.metadata(["a": "b"]) }
        request("metrics(_:)") { $0.metrics { _ in Receipt.note() } }
        request("processing(on:)") { $0.processing(on: ImmediateScheduler.instance) }
        request("query(_:)") { $0.query(["a": 1]) }
        request("rateLimit(_:)") { $0.rateLimit(RateLimiter(1_000_000, per: .seconds(1), scheduler: TestScheduler())) }
        request("redirects(_:)") { $0.redirects(.deliver) }
        request("retry(_:repeatsUnsafeMethods:scheduler:)") { $0.retry(scheduler: TestScheduler()) }
        request("timeout(_:)") { $0.timeout(.seconds(5)) }
        request("timeouts(_:)") { $0.timeouts(HTTPRequest.Timeouts()) }
        request("trackActivity(_:)") { $0.trackActivity(LoadIndicator()) }
        request("encoding(_:)") { $0.encoding(.json) }
        output("data") { $0.data }
        output("void") { $0.void }
        output("transfer") { $0.transfer }
        output("output(_:)") { $0.output(JSON.self) }
        output("output(_:)", of: "a model") { $0.output(Model.self) }
        input("input(_:)", Model(name: "a")) { $0.input(Model.self) }
        input("multipart", MultipartForm([])) { $0.multipart }
        input("multipart(_:_:)", Model(name: "a")) { $0.multipart { (_: Model) in MultipartForm([]) } }
    }

    private struct Model: Codable, Sendable { var name: String? }

    private static func input<Input: Sendable>(
        _ name: String, _ value: Input, _ add: (URLChain<Unrouted, Void>) -> URLChain<Unrouted, Input>
    ) -> Row {
        let node = add(unrouted).route(.post, "https://example.com/teas").void
        return use("URLChain." + name, times: 5) { { node.stream(value).run() } }
    }

    private static func request(
        _ name: String, of title: String = "", _ add: (URLChain<Routed, Void>) -> URLChain<Routed, Void>
    ) -> Row {
        let node = add(chain).response
        return use("URLChain." + name, of: title, times: 5) { { node.stream(()).run() } }
    }

    private static func output<Output: Sendable>(
        _ name: String, of title: String = "", _ make: (URLChain<Routed, Void>) -> AnyNode<Void, Output>
    ) -> Row {
        let node = make(chain)
        return use("URLChain." + name, of: title, times: 5) { { node.stream(()).run() } }
    }

    private static var chain: URLChain<Routed, Void> {
        unrouted.route(.get, "https://example.com/teas")
    }

    private static var unrouted: URLChain<Unrouted, Void> {
        URLChain(transport: StubTransport { .json("{}", to: $0) }).processing(on: ImmediateScheduler.instance)
    }
}
