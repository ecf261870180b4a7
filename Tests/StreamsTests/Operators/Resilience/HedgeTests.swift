import StreamsTesting
import Testing

@testable import Streams

@Suite("hedge", .countsResources)
struct HedgeTests {
    private let time = TestScheduler()

    /// A request whose attempts are these diagrams, one after the other.
    private func attempts(_ diagrams: String...) throws -> (stream: Observable<Int>, sources: [TestScheduler.ColdObservable<Int>]) {
        let sources = try diagrams.map { try time.cold($0, of: Int.self) }
        let count = Tally()
        let stream = Observable<Int>.deferred {
            sources[min(count.add(), sources.count) - 1].asObservable()
        }
        return (stream, sources)
    }

    private func hedging(after ticks: Int = 2, maxAttempts: Int = 2, budget: Double = 1) -> Hedging {
        Hedging(after: .fixed(.seconds(ticks)), maxAttempts: maxAttempts, budget: budget, scheduler: time)
    }

    @Test func `The attempt that is answered first goes on, and the other is disposed`() throws {
        let hedging = hedging()
        let (stream, sources) = try attempts("------1-2|", "-3-4|")
        time.start { stream.hedge(hedging) }.expect("---3-4|")
        sources[0].expectSubscriptions("^--!")
        sources[1].expectSubscriptions("--^---!")
        #expect(hedging.currentMetrics == .init(requests: 1, hedges: 1, wins: 1, withheld: 0, delay: .seconds(2)))
    }

    @Test func `The first attempt disposes its hedge, and an answer in time sends none`() throws {
        let (slow, sources) = try attempts("---1-2|", "--9|")
        time.start(disposed: 20) { slow.hedge(hedging()) }.expect("---1-2|")
        sources[1].expectSubscriptions("--^!")
        let unused = hedging()
        let (fast, _) = try attempts("-1|", "9|")
        let subscription = fast.hedge(unused).subscribe { _ in }
        time.advance(by: 20)
        #expect(unused.currentMetrics.requests == 1 && unused.currentMetrics.hedges == 0 && time.isIdle)
        subscription.dispose()
    }

    @Test func `When all attempts fail the error is that of the first failure`() throws {
        let attempts = Tally()
        let stream = Observable<Int>.deferred { [time] in
            let attempt = attempts.add()
            return Observable<Int>.timer(.seconds(attempt == 1 ? 9 : 1), scheduler: time).map { _ in throw TestError("\(attempt)") }
        }
        let observer = time.start { stream.hedge(hedging()) }
        observer.expect([.error(9, TestError("2"))])
    }

    @Test func `Further attempts follow after the same delay each, up to the maximum`() throws {
        let (stream, sources) = try attempts("----------1|", "---------2|", "--------3|", "4|")
        time.start(disposed: 20) { stream.hedge(hedging(maxAttempts: 3, budget: 2)) }.expect("----------1|")
        #expect(sources.map { $0.subscriptions.count } == [1, 1, 1, 0])
        sources[2].expectSubscriptions("----^-----!")
    }

    @Test(arguments: [-1.0, 0, 0.1, 0.25, 0.3, 1, 9, .nan, .infinity])
    func `There are never more hedges than the budget allows`(part: Double) {
        let hedging = hedging(after: 1, budget: part)
        let allowed = part.isNaN ? 0 : min(max(part, 0), 1)
        for _ in 0..<40 {
            let subscription = Observable<Int>.never().hedge(hedging).subscribe { _ in }
            time.advance(by: 1)
            subscription.dispose()
            let metrics = hedging.currentMetrics
            #expect(Double(metrics.hedges) <= allowed * Double(metrics.requests) + 1e-9)
        }
        let metrics = hedging.currentMetrics
        #expect(metrics.hedges == Int(40 * allowed + 1e-9) && metrics.hedges + metrics.withheld == 40)
    }

    @Test func `The delay is the percentile of the last durations, as soon as enough are known`() {
        let hedging = Hedging(after: .percentile(0.95, of: 100), budget: 1, scheduler: time)
        func request(_ ticks: Int) {
            let subscription = Observable<Int>.timer(.seconds(ticks), scheduler: time).hedge(hedging).subscribe { _ in }
            time.advance(by: ticks)
            subscription.dispose()
        }
        for ticks in 1...19 { request(ticks) }
        #expect(hedging.currentMetrics.delay == nil)
        request(20)
        #expect(hedging.currentMetrics.delay == .seconds(19) && hedging.currentMetrics.hedges == 0)
        for _ in 0..<100 { request(3) }
        #expect(hedging.currentMetrics.delay == .seconds(3))
        let before = hedging.currentMetrics
        request(7)
        #expect(hedging.currentMetrics.hedges == before.hedges + 1 && hedging.currentMetrics.wins == before.wins)
    }

    @Test func `Neither a failure nor a disposal counts as a duration, and a minimum holds`() {
        let hedging = Hedging(after: .percentile(0.5, of: 1, minimum: .seconds(4)), scheduler: time)
        Observable<Int>.error(TestError.failed).hedge(hedging).subscribe { _ in }.dispose()
        Observable<Int>.never().hedge(hedging).subscribe { _ in }.dispose()
        #expect(hedging.currentMetrics.delay == nil)
        Observable.just(1).hedge(hedging).subscribe { _ in }.dispose()
        #expect(hedging.currentMetrics.delay == .seconds(4))
    }

    @Test(arguments: ExtremeValues.times) func `No number and no time makes it trap or hang`(span: Duration) {
        for count in ExtremeValues.counts {
            for part in [Double.nan, -1, 0, 0.5, .infinity] {
                let delays: [Hedging.Delay] = [.fixed(span), .percentile(part, of: count, minimum: span)]
                for delay in delays {
                    let hedging = Hedging(after: delay, maxAttempts: min(count, 5), budget: 1, scheduler: time)
                    for _ in 0..<3 {
                        let observer = TestObserver<Int>()
                        let subscription = Observable<Int>.timer(.seconds(2), scheduler: time).hedge(hedging).subscribe(observer)
                        time.advance(by: 10)
                        #expect(observer.values.count == 1 && observer.isCompleted)
                        subscription.dispose()
                    }
                    #expect(time.isIdle)
                }
            }
        }
    }

    @Test func `A hedge that begins on one thread while the first attempt is answered on another leaves one answer and nothing running`() {
        race(rounds: 2_000) {
            let time = VirtualTimeScheduler()
            let (first, running, attempts) = (PublishSubject<Int>(), Tally(), Tally())
            let received = TestObserver<Int>()
            let stream = Observable<Int>.deferred {
                attempts.add()
                running.add()
                let source = attempts.value == 1 ? first.asObservable() : Observable.just(2)
                return source.do(onDispose: { running.add(-1) })
            }
            let hedging = Hedging(after: .fixed(.seconds(1)), budget: 1, scheduler: time)
            let subscription = stream.hedge(hedging).subscribe(received)
            return (time: time, first: first, running: running, received: received, subscription: subscription)
        } _: { round in
            round.time.advance(by: .seconds(1))
        } against: { round in
            round.first.onNext(1)
            round.first.onCompleted()
        } check: { round in
            #expect(round.received.values.count == 1 && round.received.isCompleted)
            #expect(round.running.value == 0 && round.time.isIdle)
            round.subscription.dispose()
        }
    }
}
