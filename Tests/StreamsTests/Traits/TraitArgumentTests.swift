import Streams
import StreamsTesting
import Testing

@Suite("Traits as arguments", .onOneThread, .countsResources) struct TraitArgumentTests {
    @Test func `Operators accept traits where they accept a stream`() {
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
}
