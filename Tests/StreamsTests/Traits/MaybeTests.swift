import Streams
import StreamsTesting
import Testing

@Suite("Maybes", .onOneThread, .countsResources) struct MaybeTests {
    @Test func `A maybe distinguishes its three outcomes`() {
        let log = Output()
        for maybe in [Maybe.just(1), .empty(), .error(Received.Failure())] {
            maybe.subscribe(
                onSuccess: { log.print("success \($0)") }, onError: { log.print("error \($0)") }, onCompleted: { log.print("completed") },
                onDisposed: { log.print("disposed") }
            ).dispose()
        }
        #expect(log.lines == ["success 1", "disposed", "completed", "disposed", "error Failure()", "disposed"])
    }
}
