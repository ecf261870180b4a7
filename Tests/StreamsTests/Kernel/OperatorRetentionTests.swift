import StreamsTesting
import Testing

/// The upstreams of an operator retain it: it must not retain them, nor the subscription the operator when no upstream is left.
@Suite("What an operator retains", .countsResources) struct OperatorRetentionTests {
    /// An operator over two subjects, of which only the first emits.
    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Whether a timer or a suspended source is left that still holds the operator.
        var isWaiting = false
        let make: @Sendable (Observable<Int>, Observable<Int>, TestScheduler) -> Observable<Int>
    }

    private final class Captured: Sendable {}

    static let uses = [
        Use(testDescription: "zip, whose first stream is ahead") { first, second, _ in Observable.zip(first, second) { $0 + $1 } },
        Use(testDescription: "concatMapEager, whose second stream is ahead") { first, second, _ in
            Observable.of(true, false).concatMapEager { $0 ? second : first }
        },
        Use(testDescription: "concatMapEager, whose source is ahead", isWaiting: true) { first, second, _ in
            first.concatMapEager { $0 > 0 ? .just($0) : second }
        },
        Use(testDescription: "concatMap, whose source is ahead") { first, second, _ in first.concatMap { _ in second } },
        Use(testDescription: "flatMap") { first, second, _ in first.flatMap { _ in second } },
        Use(testDescription: "flatMapLatest") { first, second, _ in first.flatMapLatest { _ in second } },
        Use(testDescription: "combineLatest") { first, second, _ in Observable.combineLatest(first, second) { $0 + $1 } },
        Use(testDescription: "merge") { first, second, _ in Observable.merge(first, second) },
        Use(testDescription: "amb") { first, second, _ in Observable.amb([first, second]) },
        Use(testDescription: "sample") { first, second, _ in first.sample(second) },
        Use(testDescription: "take(until:)") { first, second, _ in first.take(until: second) },
        Use(testDescription: "skip(until:)") { first, second, _ in first.skip(until: second) },
        Use(testDescription: "withLatestFrom") { first, second, _ in first.withLatestFrom(second) },
        Use(testDescription: "pausable") { first, second, _ in first.pausable(second.map { $0 > 0 }) },
        Use(testDescription: "debounce", isWaiting: true) { first, _, scheduler in first.debounce(.seconds(1), scheduler: scheduler) },
        Use(testDescription: "throttle", isWaiting: true) { first, _, scheduler in first.throttle(.seconds(1), scheduler: scheduler) },
        Use(testDescription: "audit", isWaiting: true) { first, _, scheduler in first.audit(.seconds(1), scheduler: scheduler) },
        Use(testDescription: "delay", isWaiting: true) { first, _, scheduler in first.delay(.seconds(1), scheduler: scheduler) },
        Use(testDescription: "timeout", isWaiting: true) { first, _, scheduler in first.timeout(.seconds(1), scheduler: scheduler) },
        Use(testDescription: "hedge before an answer", isWaiting: true) { _, second, scheduler in
            second.hedge(Hedging(after: .fixed(.seconds(1)), budget: 1, scheduler: scheduler))
        },
        Use(testDescription: "hedge after an answer") { first, _, scheduler in
            first.hedge(Hedging(after: .fixed(.seconds(1)), budget: 1, scheduler: scheduler))
        },
        Use(testDescription: "retry(when:)") { first, second, _ in first.retry(when: { _ in second }) },
    ]

    @Test(arguments: uses) func `A disposed operator releases what its observer has captured, whichever source is ahead`(_ use: Use) {
        let (first, second, scheduler) = (PublishSubject<Int>(), PublishSubject<Int>(), TestScheduler())
        weak var captured: Captured?
        let subscription: any Disposable
        do {
            let value = Captured()
            captured = value
            subscription = use.subscription(to: first, second, scheduler, capturing: value)
        }
        for number in 0..<200 { first.onNext(number) }
        #expect(captured != nil)
        subscription.dispose()
        #expect(captured == nil)
    }

    @Test(arguments: uses.filter { !$0.isWaiting })
    func `An operator whose subjects are gone releases what its observer has captured`(_ use: Use) {
        weak var captured: Captured?
        let subscription: any Disposable
        do {
            let (first, second, scheduler) = (PublishSubject<Int>(), PublishSubject<Int>(), TestScheduler())
            let value = Captured()
            captured = value
            subscription = use.subscription(to: first, second, scheduler, capturing: value)
            for number in 0..<200 { first.onNext(number) }
        }
        #expect(captured == nil)
        subscription.dispose()
    }
}

extension OperatorRetentionTests.Use {
    fileprivate func subscription(
        to first: PublishSubject<Int>, _ second: PublishSubject<Int>, _ scheduler: TestScheduler, capturing value: some AnyObject & Sendable
    ) -> any Disposable {
        make(first.asObservable(), second.asObservable(), scheduler).subscribe(onNext: { _ in withExtendedLifetime(value) {} })
    }
}
