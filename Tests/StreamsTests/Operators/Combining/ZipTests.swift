import Streams
import StreamsTesting
import Testing

@Suite("zip", .onOneThread, .countsResources) struct ZipTests {
    @Test func `zip takes eight streams, or a collection, which may be empty`() {
        let one = Observable.of(1, 2)
        let eight = Observable.zip(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(received(eight) == ["8", "16", "|"])
        #expect(received(Observable.zip([one, one, one]) { $0.reduce(0, +) }) == ["3", "6", "|"])
        #expect(received(Observable.zip([Observable<Int>]()) { $0.count }) == ["|"])
    }
}
