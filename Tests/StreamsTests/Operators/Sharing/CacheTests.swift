import Streams
import StreamsTesting
import Testing

@Suite("cache", .onOneThread, .countsResources) struct CacheTests {
    @Test func `cache subscribes once and replays everything`() {
        let subscriptions = Tally()
        let cached = Observable.of(1, 2).do(onSubscribe: { subscriptions.add() }).cache()
        #expect(received(cached) == ["1", "2", "|"])
        #expect(received(cached) == ["1", "2", "|"])
        #expect(subscriptions.value == 1)
    }
}
