import Foundation
import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("The record of an endpoint accumulates checks", .countsResources)
struct EndpointRecordTests {
    private let url = URL(string: "http://user:secret@host/path?token=abc&x")

    private func check(_ milliseconds: Int, at second: Int, down reason: String? = nil) throws -> Check {
        Check(
            target: WatchTarget(try #require(url)), time: Date(timeIntervalSince1970: Double(second)), latency: .milliseconds(milliseconds),
            outcome: reason.map { .down(status: 503, reason: $0) } ?? .up(status: 200)
        )
    }

    private func record() throws -> EndpointRecord { EndpointRecord(target: WatchTarget(try #require(url))) }

    @Test func `Counts, uptime, percentiles, the last error and the start of the state`() throws {
        var record = try record()
        #expect(record.uptime == nil)
        #expect(record.percentile(50) == nil)
        for number in 1...10 { record.add(try check(number * 10, at: number)) }
        record.add(try check(5, at: 11, down: "status 503"))
        record.add(try check(110, at: 12))
        #expect(record.checks == 12)
        #expect(record.failures == 1)
        #expect(abs((record.uptime ?? 0) - 91.666) < 0.01)
        #expect(record.percentile(50) == 60)
        #expect(record.percentile(95) == 110)
        #expect(record.percentile(0) == 10)
        #expect(record.lastFailure?.reason == "status 503")
        #expect(record.since == Date(timeIntervalSince1970: 12))
    }

    @Test func `It keeps ten minutes, at most 1,200 checks of them, and its percentiles are those of what it keeps`() throws {
        var often = try record()
        for number in 0..<3000 { often.add(try check(number, at: number / 10)) }
        #expect(often.samples.count == 1200)
        #expect(often.percentile(0) == 1800)
        #expect(often.percentile(100) == 2999)
        #expect(often.checks == 3000)
        var rarely = try record()
        for number in 0..<300 { rarely.add(try check(number, at: number * 5, down: number.isMultiple(of: 2) ? "status 503" : nil)) }
        #expect(rarely.samples.count == 121)
        #expect(rarely.lastFailures.count == 20)
        #expect(rarely.lastFailures.first?.time == Date(timeIntervalSince1970: 298 * 5))
        #expect(rarely.percentile(0) == 179)
    }

    @Test func `The sparkline has the last minute, or thirty checks where they are rarer`() throws {
        var often = try record()
        for number in 0..<200 { often.add(try check(number, at: number)) }
        #expect(often.lastMinute.values == (140..<200).map(Double.init))
        var rarely = try record()
        for number in 0..<50 { rarely.add(try check(number, at: number * 60)) }
        #expect(rarely.lastMinute.values == (20..<50).map(Double.init))
    }

    @Test func `Neither rows nor lines contain a password or a query value`() throws {
        let board = WatchBoard().applying(.check(try check(10, at: 1, down: "refused")))
        let shown =
            "\(board.entries) \(board.entries.map(\.detail)) \(CheckLine.text(try check(1, at: 1))) \(CheckLine.json(try check(1, at: 1)))"
        #expect(!shown.contains("secret"))
        #expect(!shown.contains("abc"))
        #expect(shown.contains("host/path"))
    }
}

@Suite("Numbers and times are formatted for display", .countsResources)
struct WordingTests {
    @Test(
        arguments: [(0.1234, "0.12 ms"), (9.876, "9.88 ms"), (12.34, "12.3 ms"), (456.7, "457 ms"), (1234, "1.23 s"), (65_000, "65.00 s")])
    func `A latency has three digits`(value: Double, text: String) {
        #expect(Wording.milliseconds(value) == text)
    }

    @Test(arguments: [(1.005, 1, "1.0"), (-0.004, 2, "0.00"), (-1.25, 1, "-1.3"), (2.5, 0, "3")])
    func `Numbers are rounded to their places`(value: Double, places: Int, text: String) {
        #expect(Wording.number(value, places: places) == text)
        #expect(Wording.number(.nan, places: 2) == "-")
        #expect(Wording.number(.infinity, places: 2) == "-")
    }

    @Test func `An error is one line without control sequences and without its full stop`() {
        struct Failure: LocalizedError {
            var errorDescription: String? { "It\u{1B}[31m broke\nhere." }
        }
        #expect(ErrorWording.sentence(Failure()) == "It␛[31m broke here")
    }

    @Test func `Beside its address an error is short and says the reason, without the address`() {
        let url = "https://h:1/a"
        let errors: [(any Error, String)] = [
            (TransportError.malformedResponse(url: url, reason: "a header\u{1B} is too long"), "not HTTP: a header␛ is too long"),
            (TransportError.undecodableBody(url: url, reason: "it is damaged"), "the body cannot be decoded: it is damaged"),
            (TransportError.tooManyRedirects(limit: 10, url: url), "more than 10 redirects"),
            (TransportError.bodyTooLarge(limit: 4_194_304, url: url), "the body is longer than 4.2 MB"),
            (TechnicalError.timeout("x"), "timed out"),
        ]
        for (error, text) in errors { #expect(ErrorWording.short(error) == text) }
        let expired = TransportError.secureConnectionFailed(url: url, reason: "certificate has expired")
        #expect(TechnicalError(expired).map(ErrorWording.short) == "no secure connection: certificate has expired")
    }
}

@Suite("The market board accumulates events", .countsResources)
struct MarketBoardTests {
    private func quote(_ symbol: String, _ price: Double) -> Quote {
        Quote(symbol: symbol, name: "Name", price: price, open: 1, high: 2, low: 1, changePercent: -1, volume: 3)
    }

    @Test func `Quotes replace older ones; samples record the prices; a problem is shown until the next update`() {
        var board = MarketBoard().applying(.quotes([quote("B", 1), quote("A", 2)])).applying(.sample)
        board = board.applying(.quotes([quote("B", 5)])).applying(.sample).applying(.problem("gone"))
        #expect(board.quotes.map(\.symbol) == ["B", "A"])
        #expect(board.problem == "gone")
        #expect(board.entries.map { $0.detail.chart.points.map(\.y) } == [[1, 5], [2, 2]])
        #expect(board.applying(.quotes([])).problem == nil)
    }
}
