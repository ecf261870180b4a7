import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct FlatMapIterableTests {
    @Test func `flatMapIterable stops when disposed, however long its sequence is`() {
        #expect(received(Observable.of(5).flatMapIterable { _ in 0...Int.max }.take(2)) == ["0", "1", "|"])
    }
}
