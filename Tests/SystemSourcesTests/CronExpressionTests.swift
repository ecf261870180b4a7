import Foundation
import StreamsTesting
import Testing

@testable import SystemSources

let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

/// A date written as `2026-03-29T01:59+01:00`.
func date(_ text: String) -> Date {
    (try? Date(text.replacing(/(T\d\d:\d\d)(?=[Z+-])/) { "\($0.1):00" }, strategy: .iso8601)) ?? .distantPast
}

@Suite("Cron lines", .onOneThread)
struct CronExpressionTests {
    /// The first times after `start`.
    private func times(_ line: String, after start: String, _ count: Int, in zone: TimeZone = .gmt) throws -> [Date] {
        let expression = try CronExpression(line)
        var times: [Date] = []
        var last = date(start)
        while times.count < count, let next = expression.next(after: last, in: zone) {
            times.append(next)
            last = next
        }
        return times
    }

    @Test(
        arguments: [
            ("* * * * *", ["2026-01-31T23:59Z", "2026-02-01T00:00Z"]), ("*/20 * * * *", ["2026-02-01T00:00Z", "2026-02-01T00:20Z"]),
            ("*/59 23 * * *", ["2026-01-31T23:59Z", "2026-02-01T23:00Z"]), ("0 0 */31 */12 *", ["2027-01-01T00:00Z"]),
            ("5,50 1-2 * * *", ["2026-02-01T01:05Z", "2026-02-01T01:50Z", "2026-02-01T02:05Z"]),
            ("0 8-17/4 * * mon-fri", ["2026-02-02T08:00Z", "2026-02-02T12:00Z", "2026-02-02T16:00Z", "2026-02-03T08:00Z"]),
            ("0 0 * * 7", ["2026-02-01T00:00Z", "2026-02-08T00:00Z"]), ("0 0 * * SUN", ["2026-02-01T00:00Z", "2026-02-08T00:00Z"]),
            ("0 0 1 Jan,jul *", ["2026-07-01T00:00Z", "2027-01-01T00:00Z"]), ("0 12 29 2 *", ["2028-02-29T12:00Z", "2032-02-29T12:00Z"]),
            ("0 0 13 * fri", ["2026-02-06T00:00Z", "2026-02-13T00:00Z", "2026-02-20T00:00Z", "2026-02-27T00:00Z", "2026-03-06T00:00Z"]),
            ("0 0 */2 * mon", ["2026-02-09T00:00Z", "2026-02-23T00:00Z"]), ("@daily", ["2026-02-01T00:00Z", "2026-02-02T00:00Z"]),
            ("@HOURLY", ["2026-02-01T00:00Z", "2026-02-01T01:00Z"]), ("  0\t0 31 * *  ", ["2026-03-31T00:00Z", "2026-05-31T00:00Z"]),
            ("0 0 30 2 mon", ["2026-02-02T00:00Z"]),
            ("0 0 29 2 */7", ["2032-02-29T00:00Z", "2060-02-29T00:00Z", "2088-02-29T00:00Z", "2128-02-29T00:00Z"]),
            ("0 0 */30 2 6", ["2031-02-01T00:00Z", "2042-02-01T00:00Z"]),
        ])
    func `Fields, lists, ranges, steps, names and abbreviations`(line: String, expected: [String]) throws {
        #expect(try times(line, after: "2026-01-31T23:58Z", expected.count) == expected.map(date))
    }

    @Test(
        arguments: [
            ("", CronExpression.Failure.fieldCount(0)), ("* * * *", .fieldCount(4)), ("* * * * * *", .fieldCount(6)),
            ("@reboot", .unknownAbbreviation("@reboot")), ("@daily x", .unknownAbbreviation("@daily")),
            ("60 * * * *", .outOfRange(.minute, "60", allowed: 0...59)), ("* 24 * * *", .outOfRange(.hour, "24", allowed: 0...23)),
            ("* * 0 * *", .outOfRange(.dayOfMonth, "0", allowed: 1...31)), ("* * * 13 *", .outOfRange(.month, "13", allowed: 1...12)),
            ("* * * * 8", .outOfRange(.dayOfWeek, "8", allowed: 0...7)), ("* * * feb-jan *", .reversedRange(.month, "feb-jan")),
            ("* * * * fri-mon", .reversedRange(.dayOfWeek, "fri-mon")), ("*/0 * * * *", .invalidStep(.minute, "*/0")),
            ("*/70 * * * *", .invalidStep(.minute, "*/70")), ("* 8-17/24 * * *", .invalidStep(.hour, "8-17/24")),
            ("* * */32 * *", .invalidStep(.dayOfMonth, "*/32")), ("* * * */13 *", .invalidStep(.month, "*/13")),
            ("* * * * */8", .invalidStep(.dayOfWeek, "*/8")),
            ("*/99999999999999999999 * * * *", .invalidStep(.minute, "*/99999999999999999999")),
            ("*/x * * * *", .invalidStep(.minute, "*/x")), ("5/10 * * * *", .invalidStep(.minute, "5/10")),
            ("1, * * * *", .malformed(.minute, "")), ("* 1- * * *", .malformed(.hour, "1-")), ("-1 * * * *", .malformed(.minute, "-1")),
            ("+1 * * * *", .malformed(.minute, "+1")), ("* * * january *", .malformed(.month, "january")),
            ("99999999999999999999 * * * *", .outOfRange(.minute, "99999999999999999999", allowed: 0...59)),
            ("0 0 31 2 *", .neverFires), ("0 0 31 feb,apr *", .neverFires), ("0 0 30,31 2 *", .neverFires),
        ])
    func `An invalid line is a typed error that names the field`(line: String, error: CronExpression.Failure) {
        #expect(throws: error) { try CronExpression(line) }
    }

    @Test func `The error says what is wrong in a sentence`() {
        #expect(
            CronExpression.Failure.outOfRange(.dayOfWeek, "8", allowed: 0...7).localizedDescription
                == "The day of week \"8\" is not in 0 to 7.")
        #expect(
            CronExpression.Failure.neverFires.localizedDescription.hasPrefix("There is no such time: no month of the line has such a day"))
    }

    @Test func `Where clocks are set forward, a time that does not exist is replaced by the first that does`() throws {
        let expected = ["2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"].map(date)
        #expect(try times("30 2 * * *", after: "2026-03-28T00:00+01:00", 3, in: berlin) == expected)
        // The times that do not exist, and the first that does, are one.
        let many = ["2026-03-29T01:59+01:00", "2026-03-29T03:00+02:00", "2026-03-29T03:59+02:00"].map(date)
        #expect(try times("0,59 1-3 29 3 *", after: "2026-03-29T01:30+01:00", 3, in: berlin) == many)
    }

    @Test func `A time over which the clocks are set forward on each of its days does not exist`() throws {
        // March 29 on a Sunday is the last one of the month.
        #expect(try times("*/5 2 29 3 */7", after: "2026-01-01T00:00Z", 1, in: berlin) == [])
        #expect(
            try times("0 2 29 3 */7", after: "2026-01-01T00:00Z", 2, in: berlin)
                == ["2026-03-29T03:00+02:00", "2037-03-29T03:00+02:00"].map(date))
    }

    @Test(arguments: 1...7)
    func `February 29 on some days of the week comes again after each year`(step: Int) throws {
        let expression = try CronExpression("59 23 29 2 */\(step)")
        for year in stride(from: 1970, through: 2400, by: 7) {
            let next = try #require(expression.next(after: date("\(year)-03-01T00:00Z"), in: .gmt))
            #expect(next < date("\(year + 41)-03-01T00:00Z"))
        }
    }

    @Test func `Where clocks are set back, a time that exists twice counts once`() throws {
        let expected = ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"].map(date)
        #expect(try times("30 2 * * *", after: "2026-10-25T00:00+02:00", 2, in: berlin) == expected)
        #expect(try times("30 2 * * *", after: "2026-10-25T02:10+01:00", 1, in: berlin) == [expected[1]])
    }

    @Test func `Lines that mean each hour or minute go on at the same pace, however the clocks are set`() throws {
        let forward = ["2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00", "2026-03-29T04:30+02:00"].map(date)
        #expect(try times("30 * * * *", after: "2026-03-29T01:00+01:00", 3, in: berlin) == forward)
        let back = ["2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", "2026-10-25T03:30+01:00"].map(date)
        #expect(try times("30 * * * *", after: "2026-10-25T02:00+02:00", 3, in: berlin) == back)
        #expect(try times("* * 1 12 *", after: "2026-03-28T12:00+01:00", 1, in: berlin) == [date("2026-12-01T00:00+01:00")])
        for start in ["2026-03-28T23:00+01:00", "2026-10-24T23:00+02:00"] {
            let times = try times("*/5 * * * *", after: start, 100, in: berlin)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 300 })
        }
        #expect(try times("*/30 2 * * *", after: "2026-03-29T00:00+01:00", 1, in: berlin) == [date("2026-03-30T02:00+02:00")])
    }

    @Test func `Zones of half an hour, and one that skipped a day`() throws {
        let lordHowe = try #require(TimeZone(identifier: "Australia/Lord_Howe"))
        #expect(try times("15 2 4 10 *", after: "2026-10-03T00:00Z", 1, in: lordHowe) == [date("2026-10-04T02:30+11:00")])
        let apia = try #require(TimeZone(identifier: "Pacific/Apia"))
        #expect(try times("0 12 30 12 *", after: "2011-12-29T00:00-10:00", 1, in: apia) == [date("2011-12-31T00:00+14:00")])
    }

    @Test func `The calendar agrees with Foundation's on every day of 400 years`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -150_000, to: 150_000, by: 61) {
            let time = CivilTime(seconds: day * 86_400 + 3_720)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            #expect(time.seconds == day * 86_400 + 3_720)
            guard day > -140_000 else { continue }
            #expect([time.year, time.month, time.day, time.weekday + 1] == [parts.year, parts.month, parts.day, parts.weekday])
        }
    }
}
