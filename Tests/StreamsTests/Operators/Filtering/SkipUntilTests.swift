import Streams
import StreamsTesting
import Testing

@Suite("skip(until:)", .onOneThread, .countsResources) struct SkipUntilTests {
    private let scheduler = TestScheduler()

    @Test func `skip(until:) completes with a source that completes before the notifier emits`() throws {
        let source = try scheduler.hot("1-2|", of: Int.self)
        let notifier = try scheduler.hot("--------1", of: Int.self)
        scheduler.start { source.skip(until: notifier) }.expect("---|")
        notifier.expectSubscriptions("^--!")
    }
}
