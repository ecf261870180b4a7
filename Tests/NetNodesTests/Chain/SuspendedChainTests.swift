import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Streamed outputs whose subscriber is suspended", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct SuspendedChainTests {
    /// A chain with all that can be around a streamed output.
    private func chain(_ transport: any Transport, _ url: String) -> URLChain<Routed, Void> {
        let outside = HTTPMiddleware("Outside") { request, next in next(request).do(onNext: { _ in }) }
        return URLChain(transport: transport).retry(.transient(initial: .milliseconds(1))).inserting(outside)
            .headers(["X-A": "1"]).trackActivity(LoadIndicator())
            .customError(as: Refusal.self).route(.get, url)
    }

    private struct Refusal: Error, Decodable {
        let reason: String
    }

    private static let line = Array("\(String(repeating: "1", count: 15))\n".utf8)

    @Test(arguments: ["lines", "events", "transfer"]) func `The whole chain waits, so that the server cannot continue sending`(
        output: String
    ) throws {
        let block = output == "events" ? (0..<100).flatMap { Array("data: \($0)\n\n".utf8) } : (0..<5000).flatMap { _ in Self.line }
        let type = output == "events" ? "text/event-stream" : "text/plain"
        let server = try EagerServer.responding(with: block, times: 60_000_000 / block.count, type: type)
        let chain = chain(CurlTransport(), "\(server.server.url())")
        let source: Observable<Void> =
            switch output {
            case "lines": chain.lines(Int.self).stream().map { _ in }
            case "events": chain.events(Int.self).stream().map { _ in }
            default: chain.transfer.stream().map { _ in }
            }
        let subscriber = SuspendingSubscriber(to: source) { _ in true }
        #expect(subscriber.begins())
        #expect(settled { server.sent } < 30_000_000)
        #expect(subscriber.elements.count == 1)
        subscriber.dispose()
    }

    @Test(arguments: ["lines", "events"]) func `Suspended and resumed at every element, all arrive in order`(output: String) throws {
        let numbers = Array(0..<3000)
        let server = try running(
            .get("/events") { _ in .events(Observable.from(numbers).map { LoopbackServer.SentEvent(data: "\($0)") }) },
            .get("/lines") { _ in .text(numbers.map { "\($0)\n" }.joined()) })
        let chain = chain(CurlTransport(), "\(server.baseURL)/\(output)")
        let source = output == "lines" ? chain.lines(Int.self).stream() : chain.events(Int.self, reconnection: nil).stream()
        let subscriber = SuspendingSubscriber.suspendedAlways(to: source)
        #expect(subscriber.completes() == true)
        #expect(subscriber.mostAtOnce == 1)
        #expect(subscriber.elements == numbers)
    }

    @Test func `A timeout around the exchange does not fire because of a slow subscriber, in virtual time`() {
        let scheduler = TestScheduler()
        let text = (0..<10).map { "\($0)\n" }.joined()
        let limiting = HTTPMiddleware("Timeout") { request, next in next(request).timeout(.seconds(5), scheduler: scheduler) }
        let lines = URLChain(transport: StubTransport { .text(text, to: $0) }).inserting(limiting).route(.get, "http://localhost/")
            .lines(Int.self).stream()
        let subscriber = SuspendingSubscriber(to: lines) { _ in true }
        for _ in 0..<10 {
            scheduler.advance(by: .seconds(100))
            subscriber.resume()
        }
        #expect(subscriber.completes() == true)
        #expect(subscriber.elements == Array(0..<10))
    }
}
