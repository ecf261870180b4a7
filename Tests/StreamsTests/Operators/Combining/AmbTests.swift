import Streams
import StreamsTesting
import Testing

@Suite("amb", .onOneThread, .countsResources) struct AmbTests {
    @Test func `amb emits the stream that is first, and completes without any`() {
        #expect(received(Observable<Int>.amb([])) == ["|"])
        #expect(received(Observable.amb(.never(), .of(1, 2), .error(Received.Failure()))) == ["1", "2", "|"])
    }
}
