import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct TypedRetryTests {
    @Test func `the trigger receives errors of its type, and another ends the stream`() {
        let attempts = Tally()
        let failing = Observable<Int>.deferred {
            throw attempts.add() < 3 ? Received.Failure() : StreamError.noElements
        }
        let seen = Lock<[Received.Failure]>([])
        let retried = failing.retry(
            as: Received.Failure.self,
            when: { errors in
                errors.catchAndComplete().do(onNext: { error in seen.withLock { $0.append(error) } })
            })
        #expect(received(retried) == ["# noElements"])
        #expect(seen.withLock { $0.count } == 2)
        #expect(attempts.value == 3)
    }

    @Test func `it works for a single`() {
        let attempts = Tally()
        let single = Single<Int>.deferred {
            let attempt = attempts.add()
            return attempt < 3 ? .error(Received.Failure()) : .just(attempt)
        }
        #expect(received(single.asObservable().retry(as: Received.Failure.self, when: { $0 })) == ["3", "|"])
    }
}
