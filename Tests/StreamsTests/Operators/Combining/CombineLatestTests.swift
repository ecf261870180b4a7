import Streams
import StreamsTesting
import Testing

@Suite("combineLatest", .onOneThread, .countsResources) struct CombineLatestTests {
    @Test func `combineLatest takes up to eight streams`() {
        let one = Observable.of(1)
        #expect(received(Observable.combineLatest(one, one, one) { $0 + $1 + $2 }) == ["3", "|"])
        #expect(received(Observable.combineLatest(one, one, one, one) { $0 + $1 + $2 + $3 }) == ["4", "|"])
        #expect(received(Observable.combineLatest(one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 }) == ["5", "|"])
        #expect(received(Observable.combineLatest(one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 }) == ["6", "|"])
        #expect(received(Observable.combineLatest(one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 }) == ["7", "|"])
        let eight = Observable.combineLatest(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(received(eight) == ["8", "|"])
    }

    @Test func `combineLatest of no streams emits the empty result and completes, zip of none completes`() {
        let none: [Observable<Int>] = []
        #expect(received(Observable.combineLatest(none) { $0 }) == ["[]", "|"])
        #expect(received(Observable.combineLatest(none) { $0.count }.take(1)) == ["0", "|"])
        #expect(received(Observable<Int>.combineLatest(none) { _ in throw Received.Failure() }) == ["# Failure()"])
        #expect(received(Observable.zip(none) { $0 }) == ["|"])
    }
}
