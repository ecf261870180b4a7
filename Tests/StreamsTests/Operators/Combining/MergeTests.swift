import Streams
import StreamsTesting
import Testing

@Suite("merge", .onOneThread, .countsResources) struct MergeTests {
    @Test(arguments: [false, true])
    func `merge(maxConcurrent:) fails at one stream too many, immediately or when all have terminated`(delayErrors: Bool) throws {
        let scheduler = TestScheduler()
        let inner = try scheduler.cold("-1-|", of: Int.self)
        let outer = try scheduler.hot("-abc-d--|", of: String.self)
        let observer = scheduler.start {
            outer.map { _ in inner }.merge(
                maxConcurrent: 1, overflow: .fail(capacity: 1), delayErrors: delayErrors)
        }
        #expect(observer.error as? StreamError == .overflow(capacity: 1))
        #expect(observer.values == (delayErrors ? [1, 1] : [1]))
        outer.expectSubscriptions("^--!")
    }

    @Test func `merge(maxConcurrent:) and concat delay errors on request`() throws {
        let scheduler = TestScheduler()
        let failing = try scheduler.cold("-1#", of: Int.self)
        let other = try scheduler.cold("-2|", of: Int.self)
        let streams = [failing.asObservable(), other.asObservable()]
        scheduler.start(disposed: 20) { Observable.from(streams).merge(maxConcurrent: 1, delayErrors: true) }.expect("-1-2#")
        let time = TestScheduler()
        let (first, second) = (try time.cold("-1#", of: Int.self), try time.cold("-2|", of: Int.self))
        time.start { Observable.of(first.asObservable(), second.asObservable()).concat(delayErrors: true) }.expect("-1-2#")
        first.expectSubscriptions("^-!")
        second.expectSubscriptions("--^-!")
    }

    @Test func `A subscriber that is satisfied by other elements never subscribes to the source`() {
        let subscriptions = Tally()
        let source = Observable<Int>.never().do(onSubscribe: { subscriptions.add() })
        #expect(received(source.startWith(1).take(1)) == ["1", "|"])
        #expect(received(Observable.merge(.just(1), source).take(1)) == ["1", "|"])
        #expect(subscriptions.value == 0)
    }
}
