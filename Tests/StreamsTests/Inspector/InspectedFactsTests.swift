import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("What the inspector shows of an operator", .enabled(if: Inspector.isAvailable))
struct InspectedFactsTests {
    private let scope = InspectorScope()
    private let scheduler = VirtualTimeScheduler()
    private let subject = PublishSubject<Int>()

    private func start(_ stream: (PublishSubject<Int>, VirtualTimeScheduler) -> Observable<Int>) -> any Disposable {
        scope.inspecting { stream(subject, scheduler).subscribe { _ in } }
    }

    private var root: InspectorSnapshot.Node? { scope.snapshot().roots.first }

    /// An operator with a timer of three seconds.
    struct Timed: Sendable {
        let name: String
        let stream: @Sendable (PublishSubject<Int>, VirtualTimeScheduler) -> Observable<Int>

        static let all = [
            Timed(name: "debounce") { subject, scheduler in subject.debounce(.seconds(3), scheduler: scheduler) },
            Timed(name: "delay") { subject, scheduler in subject.delay(.seconds(3), scheduler: scheduler) },
            Timed(name: "timeout") { subject, scheduler in subject.timeout(.seconds(3), scheduler: scheduler) },
            Timed(name: "throttle") { subject, scheduler in subject.startWith(0).throttle(.seconds(3), scheduler: scheduler) },
            Timed(name: "timer") { _, scheduler in .timer(.seconds(3), scheduler: scheduler) },
            Timed(name: "delaySubscription") { subject, scheduler in subject.delaySubscription(.seconds(3), scheduler: scheduler) },
        ]
    }

    @Test(arguments: Timed.all)
    func `A timer is shown while it is pending`(timed: Timed) {
        let subscription = start(timed.stream)
        subject.onNext(1)
        #expect(root?.operatorName == timed.name && root?.timers == [3])
        scheduler.advance(by: .seconds(1))
        #expect(root?.timers == [2])
        scheduler.advance(by: .seconds(2))
        #expect(root?.timers ?? [] == [])
        subscription.dispose()
    }

    @Test func `An interval shows when its next element is due`() {
        let subscription = start { _, scheduler in .interval(.seconds(2), scheduler: scheduler) }
        #expect(root?.timers == [2])
        scheduler.advance(by: .seconds(3))
        #expect(root?.timers == [1])
        subscription.dispose()
    }

    @Test func `The elements that zip keeps are counted for each of its streams`() {
        let subscription = start { subject, _ in Observable.zip(subject, subject.filter { $0 > 1 }) { $0 + $1 } }
        for number in 0..<4 { subject.onNext(number) }
        #expect(root?.queues.filter { $0.name == "unpaired elements" }.map(\.count) == [2, 0])
        subscription.dispose()
    }

    @Test func `A batch that is being delivered is counted`() {
        let counts = Lock<[Int]>([])
        let subscription = scope.inspecting {
            subject.observe(on: scheduler, overflow: .suspend(capacity: 8)).subscribe(onNext: { [scope] _ in
                let queue = scope.snapshot().nodes.first?.queues.first
                counts.withLock { $0.append(queue?.count ?? 0) }
            })
        }
        for number in 0..<3 { subject.onNext(number) }
        scheduler.advance(by: .seconds(1))
        #expect(counts.withLock(\.self) == [3, 2, 1])
        #expect(root?.queues.first?.count == 0)
        subscription.dispose()
    }

    @Test func `A delivery is shown until the consumer returns`() throws {
        let inside = Lock<[Bool]>([])
        let subscription = scope.inspecting {
            subject.map { $0 }.subscribe(onNext: { [scope] _ in
                inside.withLock { $0 = scope.snapshot().nodes.map { $0.busy != nil } }
            })
        }
        subject.onNext(1)
        #expect(inside.withLock(\.self) == [true, true])
        #expect(scope.snapshot().nodes.map(\.busy) == [nil, nil])
        #expect(scope.snapshot().nodes.allSatisfy { $0.handlingTime > 0 })
        subscription.dispose()
    }

    @Test func `flatMap counts the streams that a later one has overtaken`() {
        let answers = (0..<3).map { _ in PublishSubject<Int>() }
        let subscription = start { subject, _ in subject.flatMap { answers[$0] } }
        scope.inspecting { for number in 0..<3 { subject.onNext(number) } }
        #expect(root?.overtaken == 0)
        answers[0].onNext(0)
        #expect(root?.overtaken == 0)
        answers[2].onNext(2)
        #expect(root?.overtaken == 1, "one has yet to come")
        answers[1].onNext(1)
        answers[1].onNext(1)
        #expect(root?.overtaken == 1, "it has come")
        subscription.dispose()
    }

    @Test func `A limiter is shown with its metrics, the same for all that share it`() throws {
        let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 3)
        let bag = DisposeBag()
        scope.inspecting {
            for _ in 0..<2 { subject.bulkhead(bulkhead).subscribe { _ in }.disposed(by: bag) }
        }
        let limiters = scope.snapshot().roots.compactMap(\.limiter)
        #expect(limiters.map(\.isWaiting) == [false, true] && Set(limiters.map(\.id)).count == 1)
        #expect(limiters[0].kind == "Bulkhead" && limiters[0].figures.hasPrefix("1 of 1 running, 1 of 3 queued, 1 permitted"))
        scope.inspecting {
            let limiter = RateLimiter(2, per: .seconds(1), scheduler: scheduler)
            subject.rateLimit(limiter).subscribe { _ in }.disposed(by: bag)
            let breaker = CircuitBreaker(.failures(2, within: .seconds(1)), openFor: .seconds(1), scheduler: scheduler)
            subject.circuitBreaker(breaker).subscribe { _ in }.disposed(by: bag)
            #expect(
                scope.snapshot().roots.compactMap(\.limiter?.figures).suffix(2) == [
                    "1 tokens, 0 queued, 1 permitted, 0 rejected", "closed, 1 permitted, 0 rejected, 0 succeeded, 0 failed, opened 0 times",
                ])
        }
        #expect(scope.snapshot().roots.count == 4)
    }
}
