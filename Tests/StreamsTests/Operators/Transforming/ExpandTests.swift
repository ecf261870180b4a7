import Streams
import StreamsTesting
import Testing

@Suite("expand", .onOneThread, .countsResources) struct ExpandTests {
    @Test func `expand emits the elements of a stream before those that they expand to`() {
        #expect(received(Observable.just(0).expand { .of($0 + 1, $0 + 10) }.take(4)) == ["0", "1", "10", "2", "|"])
        #expect(received(Observable.just(0).expand { _ in throw Received.Failure() }) == ["0", "# Failure()"])
    }
}
