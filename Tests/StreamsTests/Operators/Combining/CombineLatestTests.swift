import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct CombineLatestTests {
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
}
