import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Many streams` {
    @Test func `zip takes eight streams, or a collection, which may be empty`() {
        let one = Observable.of(1, 2)
        let eight = Observable.zip(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(received(eight) == ["8", "16", "|"])
        #expect(received(Observable.zip([one, one, one]) { $0.reduce(0, +) }) == ["3", "6", "|"])
        #expect(received(Observable.zip([Observable<Int>]()) { $0.count }) == ["|"])
        #expect(received(Observable<Int>.amb([])) == ["|"])
        #expect(received(Observable.amb(.never(), one, .error(Received.Failure()))) == ["1", "2", "|"])
    }

    @Test func `operators accept traits where they accept a stream`() {
        let numbers = Observable.of(1, 2)
        let single = Single.just(10)
        #expect(received(numbers.flatMap { number in single.map { $0 + number } }) == ["11", "12", "|"])
        #expect(received(numbers.concatMap { number in Maybe<Int>.empty().ifEmpty(default: number) }) == ["1", "2", "|"])
        #expect(received(numbers.flatMapLatest { Infallible.just($0) }) == ["1", "2", "|"])
        #expect(received(numbers.concat(single)) == ["1", "2", "10", "|"])
        #expect(received(numbers.withLatestFrom(single) { $0 + $1 }) == ["11", "12", "|"])
        #expect(received(Observable.combineLatest(numbers, single) { $0 + $1 }) == ["12", "|"])
        #expect(received(Observable.zip([single, single])) == ["[10, 10]", "|"])
        #expect(received(numbers.map { Single.just($0) }.merge()) == ["1", "2", "|"])
        #expect(received(Observable<Int>.error(Received.Failure()).retry(when: { _ in single })) == ["|"])
    }

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
