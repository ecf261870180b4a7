import Streams
import StreamsTesting
import Testing

@Suite("create", .onOneThread, .countsResources) struct CreateTests {
    @Test(arguments: [
        (BufferingPolicy.unbounded, ["1", "2", "3", "4", "|"]),
        (.latest, ["1", "4", "|"]),
        (.dropNewest(capacity: 2), ["1", "2", "3", "|"]),
        (.fail(capacity: 2), ["1", "2", "3", "# overflow(capacity: 2)"]),
    ])
    func `Re-entrant elements are buffered as the policy of create defines`(policy: BufferingPolicy, expected: [String]) {
        let observers = Lock<AnyObserver<Int>?>(nil)
        let texts = received(
            Observable<Int>.create(overflow: policy) { observer in
                observers.withLock { $0 = observer }
                observer.onNext(1)
                return Disposables.create()
            }
            .do(onNext: { value in
                guard value == 1, let observer = observers.withLock({ $0 }) else { return }
                for value in 2...4 { observer.onNext(value) }
                observer.onCompleted()
            }))
        #expect(texts == expected)
    }
}
