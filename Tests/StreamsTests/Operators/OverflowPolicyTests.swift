import Streams
import StreamsTesting
import Testing

/// Elements that a producer sends before its consumer receives them, wherever a policy can be given.
@Suite("Policies of full buffers", .countsResources) struct OverflowPolicyTests {
    static let policies: [(BufferingPolicy, [String])] = [
        (.unbounded, ["1", "2", "3", "4", "|"]),
        (.latest, ["1", "4", "|"]),
        (.dropOldest(capacity: 2), ["1", "3", "4", "|"]),
        (.dropNewest(capacity: 2), ["1", "2", "3", "|"]),
    ]

    @Test(arguments: policies) func `observe(on:) buffers as its policy allows`(policy: BufferingPolicy, expected: [String]) {
        let time = VirtualTimeScheduler()
        let source = PublishSubject<Int>()
        let texts = Output()
        let subscription = source.observe(on: time, overflow: policy).subscribe { event in
            texts.print(event.element.map { "\($0)" } ?? "|")
        }
        // The first is on its way when the others come.
        source.onNext(1)
        time.run()
        for value in 2...4 { source.onNext(value) }
        source.onCompleted()
        time.run()
        #expect(texts.lines == expected)
        subscription.dispose()
    }

    @Test(arguments: policies)
    func `merge(maxConcurrent:) queues the inner streams that its policy allows`(policy: BufferingPolicy, expected: [String]) {
        let time = VirtualTimeScheduler()
        let subscribed = Output()
        let inner = { @Sendable (value: Int) in
            Observable<Int>.timer(.seconds(1), scheduler: time).map { _ in value }
                .do(onSubscribe: { subscribed.print("\(value)") })
        }
        let observer = TestObserver<Int>()
        let merged = Observable.of(1, 2, 3, 4).map(inner).merge(maxConcurrent: 1, overflow: policy)
        let subscription = merged.subscribe(observer)
        time.run()
        #expect(observer.values.map { "\($0)" } + (observer.isCompleted ? ["|"] : []) == expected)
        #expect(subscribed.lines == expected.filter { $0 != "|" }, "a dropped stream is not subscribed")
        subscription.dispose()
    }

    @Test(
        arguments: [
            (.unbounded, ["1", "2", "3"]),
            (.latest, ["3"]),
            (.dropOldest(capacity: 2), ["2", "3"]),
            (.dropNewest(capacity: 2), ["1", "2"]),
        ] as [(BufferingPolicy, [String])])
    func `A replaying subject keeps what its policy allows, and sends everything to those who listen`(
        policy: BufferingPolicy, kept: [String]
    ) {
        let subject = ReplaySubject<Int>(overflow: policy)
        let observer = TestObserver<Int>()
        let subscription = subject.subscribe(observer)
        for value in 1...3 { subject.onNext(value) }
        #expect(observer.values == [1, 2, 3])
        #expect(received(subject.asObservable()) == kept)
        subscription.dispose()
    }

    @Test func `A replaying subject with the fail policy fails on overflow`() {
        let subject = ReplaySubject<Int>(overflow: .fail(capacity: 2))
        for value in 1...4 { subject.onNext(value) }
        #expect(received(subject.asObservable()) == ["1", "2", "# overflow(capacity: 2)"])
    }
}
