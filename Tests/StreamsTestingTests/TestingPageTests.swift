// The blocks of `Docs/Testing.md`.
import Foundation
import StreamsTesting
import Testing

@Suite("The page about testing", .countsResources)
struct TestingPageTests {
    @Test func `A search waits until typing has paused`() throws {
        let scheduler = TestScheduler()
        let typing = try scheduler.hot("-a-ab---abc--|", of: String.self)
        let queries = scheduler.start { typing.debounce(.seconds(2), scheduler: scheduler) }
        queries.expect("------b-----c|")
    }

    @Test func `A request is retried after a second, then two, and the error of the last attempt is forwarded`() {
        let scheduler = TestScheduler()
        let request = scheduler.cold([.error(1, TestError("refused"))] as [Recorded<Int>])
        let policy = RetryPolicy.exponential(initial: .seconds(1), jitter: 0, maxAttempts: 3)
        let answers = scheduler.start { request.retry(policy, scheduler: scheduler) }
        answers.expect([.error(6, TestError("refused"))])
        request.expectSubscriptions("^!", "--^!", "-----^!")
    }

    @Test func `A key is requested again when it has expired`() {
        let scheduler = TestScheduler()
        let requests = BehaviorRelay(value: 0)
        let key = Observable.deferred {
            requests.update { $0 += 1 }
            return .just("key \(requests.value)")
        }.cacheLatest(for: .seconds(60), scheduler: scheduler)
        let observer = scheduler.observer(of: String.self)
        for _ in 0..<3 {
            _ = key.subscribe(onNext: { observer.onNext($0) })
            scheduler.advance(by: .seconds(40))
        }
        #expect(observer.values == ["key 1", "key 1", "key 2"])
    }

    @MainActor
    @Test func `A query is sent when typing has paused, and shows loading and then the results`() {
        let scheduler = TestScheduler()
        let answer = scheduler.cold([.next(2, ["ada"]), .completed(2)])
        let presenter = SearchPresenter(scheduler: scheduler) { _ in answer.asObservable() }
        let states = scheduler.observer(of: String.self)
        let subscription = presenter.$results.subscribe(onNext: { state in states.onNext("\(state)") })
        presenter.query.accept("a")
        presenter.query.accept("ad")
        scheduler.advance(by: .seconds(5))
        #expect(states.values == ["idle", "loading", "loaded([\"ada\"])"])
        #expect(answer.subscriptions == [TestScheduler.Subscription(from: .milliseconds(300), to: .milliseconds(2_300))])
        subscription.dispose()
    }

    @MainActor
    @Test func `A query that is emptied is not sent, ends the search that runs, and lets the same text be searched again`() {
        let scheduler = TestScheduler()
        let answer = scheduler.cold([.error(2, TestError("refused"))] as [Recorded<[String]>])
        let presenter = SearchPresenter(scheduler: scheduler) { _ in answer.asObservable() }
        presenter.query.accept("a")
        presenter.query.accept("")
        scheduler.advance(by: .seconds(5))
        #expect(answer.subscriptions.isEmpty)
        for text in ["a", "", "a"] {
            presenter.query.accept(text)
            scheduler.advance(by: .seconds(1))
        }
        #expect(answer.subscriptions.count == 2)
        #expect(answer.subscriptions.first == TestScheduler.Subscription(from: .milliseconds(5_300), to: .milliseconds(6_300)))
        scheduler.advance(by: .seconds(5))
        for text in ["", "a"] {
            presenter.query.accept(text)
            scheduler.advance(by: .seconds(1))
        }
        #expect(answer.subscriptions.count == 3)
    }

    @Test func `Elements arrive in order from another queue`() throws {
        let numbers = Observable.range(start: 1, count: 100).observe(on: DispatchQueue(label: "numbers"))
        #expect(try numbers.toBlocking(timeout: .seconds(300)).toArray() == Array(1...100))
    }
}

@Suite("Nothing left over", .countsResources)
struct LeakTests {
    @Test func `The ticker ends with its bag`() {
        let scheduler = TestScheduler()
        let bag = DisposeBag()
        Observable<Int>.interval(.seconds(1), scheduler: scheduler).subscribe().disposed(by: bag)
        scheduler.advance(by: .seconds(10))
    }
}

@MainActor
final class SearchPresenter {
    let query = BehaviorRelay(value: "")
    @Streamed private(set) var results = LoadingState<[String]>.idle
    private let bag = DisposeBag()

    init(scheduler: any Scheduler = MainScheduler.instance, search: @escaping @Sendable (String) -> Observable<[String]>) {
        query
            .debounce(.milliseconds(300), scheduler: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { text in
                text.isEmpty ? .just(.idle) : search(text).convertToLoadingState(startingWithLoading: true)
            }
            .bind(with: self) { presenter, state in presenter.results = state }
            .disposed(by: bag)
    }
}
