import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("What a view has received before is not shown again, whatever the clocks say", .countsResources)
struct SharedProgressTests {
    private func check(_ second: Double, _ name: String = "n") throws -> Check {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: name)
        return Check(target: target, time: Date(timeIntervalSince1970: second), latency: .milliseconds(1), outcome: .up(status: 200))
    }

    private func shown(_ checks: [Check]) -> [Double] {
        var progress = SharedChecks.Progress()
        return checks.compactMap { check in
            progress.take(.check(check))
            return progress.event?.check?.time.timeIntervalSince1970
        }
    }

    @Test func `A check from the year 9999, or of a clock that is an hour ahead, hides none after it`() throws {
        let times = [1.0, 253_370_764_800, 2, 3_602, 3]
        #expect(shown(try times.map { try check($0) }) == times)
    }

    @Test func `The history that is received again is shown once, and checks received meanwhile are added`() throws {
        let history = try [5.0, 9_000, 6].map { try check($0) }
        #expect(shown(try history + history + [check(7)] + history) == [5, 9_000, 6, 7])
    }

    @Test func `As many checks are remembered as the server keeps`() throws {
        let all = try (0..<SharedChecks.history + 500).map { try check(Double($0)) }
        #expect(shown(all + all.suffix(SharedChecks.history)) == all.map(\.time.timeIntervalSince1970))
        // The oldest is forgotten, so that memory is bounded.
        #expect(shown(all + [all[0]]).count == all.count + 1)
    }

    @Test func `The record of an endpoint goes on after a check of the year 9999`() throws {
        var record = EndpointRecord(target: try check(1).target)
        for second in 1...50 { record.add(try check(Double(second))) }
        record.add(try check(253_370_764_800))
        for second in 51...60 { record.add(try check(Double(second))) }
        #expect(record.last?.time == Date(timeIntervalSince1970: 60))
        #expect(record.samples.map(\.time) == record.samples.map(\.time).sorted())
        #expect(record.samples.last?.time == Date(timeIntervalSince1970: 60))
        #expect(record.percentile(50) == 1)
    }
}
