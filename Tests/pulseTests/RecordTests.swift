import Foundation
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("The record of an endpoint accumulates checks", .countsResources)
struct EndpointRecordTests {
    private let url = URL(string: "http://user:secret@host/path?token=abc&x")

    private func check(_ milliseconds: Int, at second: Int, down reason: String? = nil) throws -> Check {
        Check(
            endpoint: try #require(url), time: Date(timeIntervalSince1970: Double(second)), latency: .milliseconds(milliseconds),
            outcome: reason.map { .down(status: 503, reason: $0) } ?? .up(status: 200)
        )
    }

    @Test("Counts, uptime, percentiles, the last error and the start of the state")
    func adds() throws {
        var record = EndpointRecord(endpoint: try #require(url))
        #expect(record.uptime == nil)
        #expect(record.percentile(50) == nil)
        for number in 1...10 { record = record.adding(try check(number * 10, at: number)) }
        record = record.adding(try check(5, at: 11, down: "status 503"))
        record = record.adding(try check(110, at: 12))
        #expect(record.checks == 12)
        #expect(record.failures == 1)
        #expect(abs((record.uptime ?? 0) - 91.666) < 0.01)
        #expect(record.percentile(50) == 60)
        #expect(record.percentile(95) == 110)
        #expect(record.percentile(0) == 10)
        #expect(record.lastFailure?.reason == "status 503")
        #expect(record.since == Date(timeIntervalSince1970: 12))
    }

    @Test("It does not grow")
    func isBounded() throws {
        var record = EndpointRecord(endpoint: try #require(url))
        for number in 0..<1000 { record = record.adding(try check(number, at: number)) }
        #expect(record.latencies.values.count == 300)
        #expect(record.checks == 1000)
    }

    @Test("Neither rows nor lines contain a password or a query value")
    func keepsSecrets() throws {
        let board = WatchBoard(endpoints: [try #require(url)]).adding(try check(10, at: 1, down: "refused"))
        let shown = "\(board.entries) \(CheckLine.text(try check(1, at: 1))) \(CheckLine.json(try check(1, at: 1)))"
        #expect(!shown.contains("secret"))
        #expect(!shown.contains("abc"))
        #expect(shown.contains("host/path"))
    }
}

@Suite("Numbers and times are formatted for display", .countsResources)
struct WordingTests {
    @Test(
        "A latency has three digits",
        arguments: [(0.1234, "0.12 ms"), (9.876, "9.88 ms"), (12.34, "12.3 ms"), (456.7, "457 ms"), (1234, "1.23 s"), (65_000, "65.00 s")]
    )
    func milliseconds(value: Double, text: String) {
        #expect(Wording.milliseconds(value) == text)
    }

    @Test("Numbers are rounded to their places", arguments: [(1.005, 1, "1.0"), (-0.004, 2, "0.00"), (-1.25, 1, "-1.3"), (2.5, 0, "3")])
    func numbers(value: Double, places: Int, text: String) {
        #expect(Wording.number(value, places: places) == text)
        #expect(Wording.number(.nan, places: 2) == "-")
        #expect(Wording.number(.infinity, places: 2) == "-")
    }

    @Test("An error is one line without control sequences and without its full stop")
    func errors() {
        struct Failure: LocalizedError {
            var errorDescription: String? { "It\u{1B}[31m broke\nhere." }
        }
        #expect(ErrorWording.sentence(Failure()) == "It␛[31m broke here")
    }
}

@Suite("The market board accumulates events", .countsResources)
struct MarketBoardTests {
    private func quote(_ symbol: String, _ price: Double) -> Quote {
        Quote(symbol: symbol, name: "Name", price: price, open: 1, high: 2, low: 1, changePercent: -1, volume: 3)
    }

    @Test("Quotes replace older ones; samples record the prices; a problem is shown until the next update")
    func applies() {
        var board = MarketBoard().applying(.quotes([quote("B", 1), quote("A", 2)])).applying(.sample)
        board = board.applying(.quotes([quote("B", 5)])).applying(.sample).applying(.problem("gone"))
        #expect(board.quotes.map(\.symbol) == ["B", "A"])
        #expect(board.problem == "gone")
        #expect(board.entries.map { $0.detail.history.values } == [[1, 5], [2, 2]])
        #expect(board.applying(.quotes([])).problem == nil)
    }
}
