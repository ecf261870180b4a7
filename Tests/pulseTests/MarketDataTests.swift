import Foundation
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import pulse

@Suite("The market data service", .countsResources)
struct MarketDataTests {
    @Test func `Equal seeds and times give equal quotes, another seed different ones`() {
        let schedulers = (0..<3).map { _ in VirtualTimeScheduler() }
        let markets = zip([7, 7, 8] as [UInt64], schedulers).map { MarketData(seed: $0, scheduler: $1) }
        schedulers[0].advance(by: .seconds(60))
        _ = markets[1].quotes
        for _ in 0..<60 {
            schedulers[1].advance(by: .seconds(1))
            _ = markets[1].quotes
        }
        schedulers[2].advance(by: .seconds(60))
        #expect(markets[0].quotes == markets[1].quotes)
        #expect(markets[0].quotes != markets[2].quotes)
        #expect(markets[0].quotes.map(\.volume).reduce(0, +) > 0)
    }

    @Test func `Every price stays above zero and between its low and its high`() {
        let scheduler = VirtualTimeScheduler()
        let market = MarketData(seed: 3, interval: .milliseconds(1), scheduler: scheduler)
        scheduler.advance(by: .seconds(20))
        for quote in market.quotes {
            #expect(quote.price > 0)
            #expect((quote.low...quote.high).contains(quote.price))
            #expect(abs(quote.price - quote.open - quote.change) < 0.01)
        }
    }

    @Test func `A pause of a year costs no more than a bounded number of steps`() {
        let scheduler = VirtualTimeScheduler()
        let market = MarketData(interval: .milliseconds(10), scheduler: scheduler)
        scheduler.advance(by: .seconds(365 * 24 * 3_600))
        #expect(market.quotes.map(\.tick).max() == 365 * 24 * 3_600 * 100)
    }

    @Test func `Each move is emitted once to each subscriber, in order`() {
        let scheduler = VirtualTimeScheduler()
        let market = MarketData(seed: 5, interval: .milliseconds(100), scheduler: scheduler)
        let ticks = Lock<[[Int]]>([[], []])
        let first = market.moves().subscribe(onNext: { quote in ticks.withLock { $0[0].append(quote.tick) } })
        scheduler.advance(by: .milliseconds(250))
        let second = market.moves().subscribe(onNext: { quote in ticks.withLock { $0[1].append(quote.tick) } })
        scheduler.advance(by: .milliseconds(300))
        #expect(ticks.withLock { $0 } == [[1, 2, 3, 4, 5], [3, 4, 5]])
        first.dispose()
        second.dispose()
        scheduler.advance(by: .seconds(1))
        #expect(ticks.withLock { $0[0].count } == 5)
    }

    @Test func `Quotes are served as JSON, all with an ETag and each by its symbol`() throws {
        let (market, server) = try opened()
        let client = try WireClient(port: server.port)
        let all = try client.ask("/quotes")
        #expect(try JSONDecoder().decode([MarketData.Quote].self, from: all.body) == market.quotes)
        let tag = try #require(all["ETag"])
        #expect(try client.ask("/quotes", headers: ["If-None-Match: \(tag)"]).status == 304)
        let one = try client.ask("/quotes/acme")
        #expect(try JSONDecoder().decode(MarketData.Quote.self, from: one.body) == market.quote("ACME"))
        #expect(try client.ask("/quotes/NONE").status == 404)
    }

    @Test func `The stream starts with all quotes, continues with the moves, and resumes after the client's last one`() throws {
        let scheduler = VirtualTimeScheduler()
        let server = LoopbackServer()
        server.addRoutes(MarketData(seed: 2, interval: .milliseconds(100), scheduler: scheduler).routes)
        try server.start()
        let client = try WireClient(port: server.port)
        try client.request("/quotes/stream")
        _ = try client.head()
        var text = ""
        while text.components(separatedBy: "event: quote").count <= MarketData.listings.count {
            text += String(decoding: try client.chunk(), as: UTF8.self)
        }
        #expect(text.hasPrefix("retry: 1000\n\n"))
        scheduler.advance(by: .milliseconds(100))
        #expect(String(decoding: try client.chunk(), as: UTF8.self).hasPrefix("event: quote\nid: 1\ndata: {"))
        client.close()
        scheduler.advance(by: .milliseconds(400))

        let again = try WireClient(port: server.port)
        try again.request("/quotes/stream", headers: ["Last-Event-ID: 2"])
        _ = try again.head()
        #expect(String(decoding: try again.chunk(), as: UTF8.self) == "retry: 1000\n\n")
        scheduler.advance(by: .milliseconds(1))
        text = ""
        while !text.contains("id: 5") { text += String(decoding: try again.chunk(), as: UTF8.self) }
        #expect(text.hasPrefix("event: quote\nid: 3\n"))
    }

    @Test func `The probes respond as their paths define`() throws {
        let (_, server) = try opened()
        let client = try WireClient(port: server.port)
        #expect(try client.ask("/health").text == #"{"status":"ok"}"#)
        #expect(try client.ask("/delay/5").text == #"{"delay":5}"#)
        #expect(try client.ask("/delay/-1").status == 400)
        #expect(try client.ask("/delay/9999999").status == 400)
        #expect(try client.ask("/status/418").status == 418)
        #expect(try client.ask("/status/302")["Location"] == "/health")
        #expect(try client.ask("/status/999").status == 400)
        #expect(try (0..<6).map { _ in try client.ask("/flaky").status } == [200, 200, 503, 200, 500, 200])
        #expect(try client.ask("/download/100000").body == LoopbackServer.Response.generatedBytes(0..<100_000))
        #expect(try client.ask("/download/10", headers: ["Range: bytes=4-"]).status == 206)
        #expect(try client.ask("/download/x").status == 400)
    }

    private func opened() throws -> (MarketData, LoopbackServer) {
        let market = MarketData(seed: 1, scheduler: VirtualTimeScheduler())
        let server = LoopbackServer()
        server.addRoutes(market.routes)
        try server.start()
        return (market, server)
    }
}
