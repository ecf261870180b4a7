import Dispatch
import OperatorCatalogue
import StreamsTesting
import Testing

@testable import Streams

/// Nodes and their operators away from the network, under virtual time.
@Suite("Nodes without a network", .onOneThread, .countsResources)
struct NodeTests {
    private let time = VirtualTimeScheduler()

    /// Answers `token` with itself, or refuses it where it is not the newest.
    private func answering(_ newest: BehaviorRelay<Int>, _ current: BehaviorRelay<Int>) -> Observable<Int> {
        .deferred { [time] in
            let sent = current.value
            return Observable<Int>.timer(.seconds(1), scheduler: time).map { _ in
                guard sent == newest.value else { throw TestError.failed }
                return sent
            }
        }
    }

    @Test func `Any number of rejected operations share one refresh and are repeated with its token`() {
        let (newest, current, refreshes) = (BehaviorRelay(value: 1), BehaviorRelay(value: 0), BehaviorRelay(value: 0))
        let refresh = AnyNode<Void, Int> { [time] in
            refreshes.update { $0 += 1 }
            return Observable<Int>.timer(.seconds(5), scheduler: time).map { _ in newest.value }
        }
        let refresher = TokenRefresherNode(chain: refresh, scheduler: time) { current.accept($0) }
        let answers = BehaviorRelay(value: [Int]())
        let request = answering(newest, current).refreshing(with: refresher, when: { $0 as? TestError == .failed })
        let subscription = Observable.merge((0..<100).map { _ in request }).subscribe(onNext: { answer in
            answers.update { $0.append(answer) }
        })
        time.advance(by: .seconds(10))
        #expect(answers.value == Array(repeating: 1, count: 100))
        #expect(refreshes.value == 1)
        subscription.dispose()
    }

    @Test func `A refresh that fails is one for all that were rejected with its token, and the next operation starts another`() {
        let refreshes = BehaviorRelay(value: 0)
        let refresh = AnyNode<Void, Int> { [time] in
            refreshes.update { $0 += 1 }
            return Observable<Int>.timer(.seconds(1), scheduler: time).map { _ in throw TestError("other") }
        }
        let refresher = TokenRefresherNode(chain: refresh, scheduler: time) { _ in }
        let errors = BehaviorRelay(value: [TestError]())
        // The last ones are rejected long after the refresh has failed.
        let requests = (1...200).map { number in
            Observable<Int>.timer(.milliseconds(number * 50), scheduler: time).map { _ in throw TestError.failed }
                .refreshing(with: refresher, when: { $0 as? TestError == .failed })
        }
        let subscriptions = requests.map { request in
            request.subscribe(onError: { error in errors.update { $0.append(error as? TestError ?? .failed) } })
        }
        time.advance(by: .seconds(20))
        #expect(errors.value == Array(repeating: TestError("other"), count: 200))
        #expect(refreshes.value == 1)
        let later = requests[0].subscribe { _ in }
        time.advance(by: .seconds(2))
        #expect(refreshes.value == 2)
        for subscription in subscriptions + [later] { subscription.dispose() }
    }

    @Test func `The error of an earlier refresh is released outside of the lock of the refresher`() {
        struct Failure: Error { let element: Probed }
        let user = UserCode()
        let failing = AnyNode<Void, Int> { .error(Failure(element: user.element(1))) }
        let refresher = TokenRefresherNode(chain: failing, scheduler: time) { _ in }
        for _ in 0..<2 { refresher.stream().subscribe { _ in }.dispose() }
        #expect(user.violations == [])
    }

    @Test func `A refresh by a newer token and its failure are told apart`() {
        let outcomes = BehaviorRelay<[Observable<Int>]>(value: [.just(1), .error(TestError("other"))])
        let refresher = TokenRefresherNode(
            chain: AnyNode<Void, Int> {
                let next = outcomes.value.first ?? .empty()
                outcomes.update { $0 = Array($0.dropFirst()) }
                return next
            }, scheduler: time
        ) { _ in }
        let isRefused = BehaviorRelay(value: true)
        let slow = Observable.deferred { [time] in
            Observable<Int>.timer(.seconds(5), scheduler: time).map { _ in isRefused.value ? try { throw TestError.failed }() : 7 }
        }.refreshing(with: refresher, when: { $0 as? TestError == .failed })
        let answers = BehaviorRelay(value: [Int]())
        let subscription = slow.subscribe(onNext: { answer in answers.update { $0.append(answer) } })
        let refreshes = BehaviorRelay(value: [String]())
        for _ in 0..<2 {
            refresher.stream().subscribe { event in refreshes.update { $0.append("\(event)") } }.dispose()
        }
        #expect(refreshes.value == ["next(())", "completed", "error(other)"])
        time.advance(by: .seconds(5))
        isRefused.accept(false)
        time.advance(by: .seconds(5))
        #expect(answers.value == [7])
        subscription.dispose()
    }

    @Test func `A stream counts on the indicator from its subscription to its termination or its disposal`() {
        let indicator = LoadIndicator()
        let source = PublishSubject<Int>()
        let counts = BehaviorRelay(value: [Int]())
        let watching = indicator.count.subscribe(onNext: { count in counts.update { $0.append(count) } })
        let tracked = source.trackActivity(indicator)
        let first = tracked.subscribe { _ in }
        let second = tracked.subscribe { _ in }
        first.dispose()
        first.dispose()
        source.onCompleted()
        Observable<Int>.error(TestError.failed).trackActivity(indicator).subscribe { _ in }.dispose()
        #expect(counts.value == [0, 1, 2, 1, 0, 1, 0])
        second.dispose()
        watching.dispose()
    }

    @Test func `An aborter fails running and later operations, each once, and disposes their upstream`() {
        let aborter = Aborter()
        let isDisposed = BehaviorRelay(value: false)
        let node = AnyNode<Int, Int> { _ in .never().do(onDispose: { isDisposed.accept(true) }).abortable(by: aborter) }
        let running = node.stream(1).failure()
        aborter.abort()
        aborter.abort()
        #expect(running.value == Aborter.OperationAborted())
        #expect(isDisposed.value)
        #expect(node.stream(2).failure().value == Aborter.OperationAborted())
    }

    @Test func `An abort is not retried, whatever the policy is`() {
        let attempts = BehaviorRelay(value: 0)
        let aborter = Aborter()
        let running = Observable<Int>.deferred {
            attempts.update { $0 += 1 }
            return .never()
        }.abortable(by: aborter)
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }, scheduler: time) { _ in }
        let ends = [
            running.retry(), running.retry(3), running.retry(.delay(.zero, maxAttempts: 3), scheduler: time),
            running.refreshing(with: refresher, when: { _ in true }),
        ].map { $0.failure() }
        aborter.abort()
        #expect(ends.map(\.value) == Array(repeating: Aborter.OperationAborted(), count: 4))
        #expect(attempts.value == 4)
    }

    @Test func `A log has the messages of its own operation, and its outcome`() {
        let logs = BehaviorRelay(value: [OperationLog]())
        let node = AnyNode<Int, Int> { number in
            Observable.of(number).noting(.info, as: "Numbers") { $0.element.map { "got \($0)" } }
                .map { $0 > 1 ? $0 : try { throw TestError.failed }() }
                .logged { log in logs.update { $0.append(log) } }
        }
        node.stream(1).subscribe { _ in }.dispose()
        node.stream(2).subscribe { _ in }.dispose()
        #expect(logs.value.map { $0.messages.map(\.text) } == [["got 1"], ["got 2"]])
        #expect(logs.value.map(\.ending) == [.failed("TestError"), .completed])
        #expect(Set(logs.value.map(\.id)).count == 2)
    }

    @Test func `An operation without an output fails, for its context`() async {
        let context = AnyNode<Void, Int> { .empty() }.process()
        let deferred = BehaviorRelay(value: false)
        context.defer { deferred.accept(true) }
        #expect(deferred.value)
        await #expect(throws: StreamError.noElements) { try await context.value }
        #expect(Observable<Int>.empty().asContext().retry(2).map { $0 }.core.latest().flatMap { $0 }?.error as? StreamError == .noElements)
        #expect(Observable<Int>.never().asMulticastContext().cancel().core.hasOutcome)
    }
}

extension ObservableType {
    /// The error that the stream fails with, once it has.
    fileprivate func failure() -> BehaviorRelay<Aborter.OperationAborted?> {
        let end = BehaviorRelay<Aborter.OperationAborted?>(value: nil)
        _ = subscribe(onError: { end.accept($0 as? Aborter.OperationAborted) })
        return end
    }
}
