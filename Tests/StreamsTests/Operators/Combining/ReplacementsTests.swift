import Streams
import StreamsTesting
import Testing

@Suite("Replaced elements and errors", .onOneThread, .countsResources) struct ReplacementsTests {
    @Test func `nil, nothing and errors are replaced`() {
        #expect(received(Observable<Int?>.of(1, nil).replaceNil(with: 0)) == ["1", "0", "|"])
        #expect(received(Observable<Int>.empty().replaceEmpty(with: 5)) == ["5", "|"])
        #expect(received(Observable<Int>.of(1).replaceEmpty(with: 5)) == ["1", "|"])
        #expect(received(Observable<Int>.error(Received.Failure()).replaceError(with: 6).asObservable()) == ["6", "|"])
    }
}
