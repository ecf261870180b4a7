import Streams
import StreamsTesting
import Testing

@Suite("cast", .onOneThread, .countsResources) struct CastTests {
    @Test func `cast fails at an element of another type`() {
        let mixed = Observable<any Sendable>.of(1, "x", 2)
        #expect(received(mixed.cast(to: Int.self)) == ["1", "# cast(from: \"String\", to: \"Int\")"])
    }
}
