import Streams
import StreamsTesting
import Testing

@Suite("Completables", .onOneThread, .countsResources) struct CompletableTests {
    @Test func `A completable continues with the next stream`() {
        let done = Observable.of(1, 2).asCompletable()
        #expect(received(done.andThen(Single.just(3)).asObservable()) == ["3", "|"])
        #expect(received(Completable.concat(done, .error(Received.Failure())).asObservable()) == ["# Failure()"])
    }

    @Test func `Completables are run one after the other, or at once`() {
        let log = Lock<[Int]>([])
        let steps = (1...3).map { number in
            Completable.create {
                log.withLock { $0.append(number) }
                $0(.completed)
                return Disposables.create()
            }
        }
        #expect(received(Completable.concat(steps).asObservable()) == ["|"])
        #expect(received(steps[0].concat(steps[1]).asObservable()) == ["|"])
        #expect(received(Completable.zip(steps).asObservable()) == ["|"])
        #expect(log.withLock { $0 } == [1, 2, 3, 1, 2, 1, 2, 3])
        #expect(received(Completable.zip([.empty(), .error(Received.Failure())]).asObservable()) == ["# Failure()"])
    }
}
