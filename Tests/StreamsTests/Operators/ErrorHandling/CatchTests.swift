import Streams
import StreamsTesting
import Testing

@Suite("catch", .onOneThread, .countsResources) struct CatchTests {
    @Test func `catch of no sources completes, and of one fails with it`() {
        #expect(received(Observable<Int>.catch(sequence: [])) == ["|"])
        #expect(received(Observable<Int>.catch(sequence: [.error(Received.Failure())])) == ["# Failure()"])
    }
}
