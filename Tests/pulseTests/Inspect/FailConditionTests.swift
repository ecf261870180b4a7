import Streams
import StreamsInspector
import StreamsTesting
import Testing

@testable import pulse

@Suite("Conditions of --fail-on", .countsResources)
struct FailConditionTests {
    @Test(arguments: [
        ("leaked > 0", FailCondition.Figure.leaked, FailCondition.Comparison.greater, 0), ("nodes>=12", .nodes, .atLeast, 12),
        ("  errors =  3 ", .errors, .equal, 3), ("chains > 10", .chains, .greater, 10), ("suspended >= 1", .suspended, .atLeast, 1),
    ])
    func `A figure, a comparison and a number are a condition`(
        text: String, figure: FailCondition.Figure, comparison: FailCondition.Comparison, number: Int
    ) throws {
        let condition = try FailCondition(parsing: text)
        #expect(condition.figure == figure && condition.comparison == comparison && condition.number == number)
    }

    @Test(arguments: [
        ("", "it begins with leaked, suspended, nodes, chains, errors"),
        ("leeked > 0", "it begins with leaked, suspended, nodes, chains, errors; did you mean leaked?"),
        ("leaked", "leaked is followed by >, >= or ="), ("leaked < 3", "leaked is followed by >, >= or ="),
        ("leaked >", "it ends with a whole number, such as 0"), ("leaked > -1", "it ends with a whole number, such as 0"),
        ("leaked > 1.5", "it ends with a whole number, such as 0"),
        ("leaked > 99999999999999999999", "it ends with a whole number, such as 0"),
        ("leaked > 0 0x", "it ends with a whole number, such as 0"), ("leaked => 1", "it ends with a whole number, such as 0"),
    ])
    func `Another text is a usage error that says what was expected`(text: String, reason: String) {
        #expect(throws: UsageError("pulse inspect: --fail-on \(text.quotedForMessage) is no condition: \(reason)")) {
            try FailCondition(parsing: text)
        }
    }

    @Test func `Comparisons hold as in arithmetic`() throws {
        let holds = { (text: String, count: Int) in try FailCondition(parsing: text).holds(for: count) }
        #expect(try holds("nodes > 2", 3) && !holds("nodes > 2", 2))
        #expect(try holds("nodes >= 2", 2) && !holds("nodes >= 2", 1))
        #expect(try holds("nodes = 2", 2) && !holds("nodes = 2", 3))
    }

    @Test func `Leaked are the chains by which lines grew, whatever ended elsewhere`() throws {
        let before = SampleSnapshots.counts(of: SampleSnapshots.shop(leaks: 1))
        let after = SampleSnapshots.counts(of: SampleSnapshots.shop(at: 5, leaks: 4))
        let count = InspectCount(.leaked, in: after, since: before)
        #expect(count.count == 3)
        #expect(
            try count.sentence(FailCondition(parsing: "leaked > 0")) == "leaked > 0 holds: it is 3: 3 `interval` (Shop/Orders.swift:50)")
        var fewer = after
        fewer.chains.removeAll { $0.place?.line != 50 }
        #expect(InspectCount(.leaked, in: fewer, since: before).count == 3)
        #expect(InspectCount(.leaked, in: before, since: after).count == 0)
    }

    @Test func `The other figures are those of one moment`() {
        var counts = SampleSnapshots.counts(of: SampleSnapshots.shop())
        counts.totals.hidden = 5
        let count = { [counts] figure in InspectCount(figure, in: counts, since: nil).count }
        #expect(count(.suspended) == 1 && count(.nodes) == 14 && count(.chains) == 4 && count(.errors) == 12)
    }
}
