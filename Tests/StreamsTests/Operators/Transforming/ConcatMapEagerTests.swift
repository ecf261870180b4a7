import Streams
import StreamsTesting
import Testing

@Suite("concatMapEager", .onOneThread, .countsResources) struct ConcatMapEagerTests {
    @Test func `A queued stream of concatMapEager can be disposed while it emits synchronously`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.of(0, 1)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.repeatElement(1) }
            .take(5)
            .subscribe(onNext: { _ in count.add() })
        first.onNext(0)
        #expect(count.value == 5)
        subscription.dispose()
    }

    @Test func `A stream out of turn that has completed counts: the source waits while there are 128 of them`() {
        let (first, taken, count) = (PublishSubject<Int>(), Tally(), Tally())
        let subscription = Observable.range(start: 0, count: 10_000).do(onNext: { _ in taken.add() })
            .concatMapEager { $0 == 0 ? first.asObservable() : Observable.just($0) }
            .subscribe(onNext: { _ in count.add() })
        #expect(taken.value <= 130)
        first.onCompleted()
        #expect(count.value == 9_999)
        subscription.dispose()
    }

    @Test func `Queued streams of concatMapEager do not grow the stack`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.range(start: 0, count: 20_000)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.just($0) }
            .subscribe(onNext: { _ in count.add() })
        onThread { first.onNext(0) }
        #expect(count.value == 20_000)
        subscription.dispose()
    }
}
