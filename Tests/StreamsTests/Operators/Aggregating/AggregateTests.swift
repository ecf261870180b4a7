import Streams
import StreamsTesting
import Testing

@Suite("Aggregates", .onOneThread, .countsResources) struct AggregateTests {
    @Test func `The forms that no picture shows`() {
        let source = Observable.of(3, 1, 2)
        #expect(received(source.max()) == ["3", "|"])
        #expect(received(source.min { $0 > $1 }) == ["3", "|"])
        #expect(received(source.reduce(0, accumulator: +, mapResult: { "sum \($0)" })) == ["sum 6", "|"])
        #expect(received(source.count { $0 > 1 }) == ["2", "|"])
        #expect(received(source.count { _ in throw Received.Failure() }) == ["# Failure()"])
        #expect(received(Observable.of(1.0, 2.0).average()) == ["1.5", "|"])
    }
}
