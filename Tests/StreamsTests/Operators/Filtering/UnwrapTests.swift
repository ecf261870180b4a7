import Streams
import StreamsTesting
import Testing

@Suite("unwrap", .onOneThread, .countsResources) struct UnwrapTests {
    @Test func `unwrap throws the given error at nil, which is evaluated only then`() {
        let evaluated = Tally()
        @Sendable func failure() -> any Error {
            evaluated.add()
            return Received.Failure()
        }
        let stream = Observable<Int?>.of(1, nil, 2).unwrap(orThrow: failure())
        #expect(evaluated.value == 0)
        #expect(received(stream) == ["1", "# Failure()"])
        #expect(evaluated.value == 1)
    }
}
