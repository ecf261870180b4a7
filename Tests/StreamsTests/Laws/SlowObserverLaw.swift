import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

/// Two upstreams, each on a thread of its own, the clock on a third, and an observer that does not return.
@Suite("Law 10, bounded by a slow observer", .countsResources)
struct SlowObserverLaw {
    /// Where elements do not wait: each starts a stream at once, or is dropped, or the policy is that nothing waits.
    private static let waitsForNothing: Set = [
        "flatMap(maxConcurrent:delayErrors:_:), on a scheduler", "flatMapFirst(_:), to the other", "observe(on:overflow:)",
    ]

    @Test(arguments: operatorTable) func `While its observer handles an element, no upstream of an operator runs ahead`(row: OperatorRow) {
        let run = SlowRun(row)
        run.begin()
        guard let taken = run.takenMeanwhile, !Self.waitsForNothing.contains(row.name) else { return }
        // 32 inputs, and what `zip` keeps, for each of up to eight subscriptions.
        var bound = 64 + 128
        if case .keeps(let kept) = row.flow { bound += kept }
        #expect(taken.source <= bound && taken.other <= bound * max(1, run.otherSubscriptions), "\(taken)")
    }
}

/// One operator whose observer returns from its first element when everything that could emit has returned.
private final class SlowRun: Sendable {
    private enum Worker: CaseIterable { case source, other, clock }

    private struct State {
        /// The workers that have emitted their first element, and those that have returned.
        var hasEmitted: Set<Worker> = []
        var returned: Set<Worker> = []
        var threads: [Worker: pthread_t] = [:]
        /// Elements that are emitted before, during the subscription, are not waited for.
        var hasStarted = false
        var isBlocked = false
        var takenMeanwhile: (source: Int, other: Int)?

        /// Whether the worker has emitted its first element, or none.
        func hasBegun(_ worker: Worker) -> Bool { hasEmitted.contains(worker) || returned.contains(worker) }
    }

    /// More than any bound that the law allows: for operators that subscribe for each element it counts squared.
    private static let count = 400
    private let scheduler = VirtualTimeScheduler()
    private let user = UserCode()
    private let condition = NSCondition()
    private let state = Lock(State())
    private let source = StartedSource(count: count)
    private let other = StartedSource(count: count)
    private let row: OperatorRow

    init(_ row: OperatorRow) {
        self.row = row
    }

    var otherSubscriptions: Int { other.subscriptions.value }

    /// How many elements were taken from each upstream while the observer was called for the first time; `nil` if it was not.
    var takenMeanwhile: (source: Int, other: Int)? { state.withLock { $0.takenMeanwhile } }

    func begin() {
        source.beforeSecond = { [unowned self] in pauseAfterFirst(.source) }
        other.beforeSecond = { [unowned self] in pauseAfterFirst(.other) }
        let upstreams = Upstreams(source: source.observable, other: other.observable, user: user, scheduler: scheduler)
        let subscription = row.apply(upstreams).subscribe(onNext: { [unowned self] _ in receive() })
        scheduler.advance(by: .seconds(2))
        change { $0.hasStarted = true }
        together {
            self.work(.source) { self.source.begin() }
        } _: {
            together {
                self.work(.other) { self.other.begin() }
            } _: {
                self.work(.clock) {
                    self.wait { $0.isBlocked || $0.hasBegun(.source) && $0.hasBegun(.other) }
                    self.scheduler.advance(by: .seconds(2))
                }
            }
        }
        subscription.dispose()
    }

    private func work(_ worker: Worker, _ body: () -> Void) {
        change { $0.threads[worker] = pthread_self() }
        body()
        change { $0.returned.insert(worker) }
    }

    /// Between the first and the second element: until the observer is called, or the clock has had its turn.
    private func pauseAfterFirst(_ worker: Worker) {
        change { $0.hasEmitted.insert(worker) }
        guard state.withLock({ $0.threads[worker].map { pthread_equal($0, pthread_self()) != 0 } ?? false }) else { return }
        wait { $0.isBlocked || $0.returned.contains(.clock) }
    }

    private func receive() {
        let isFirst = state.withLock { state in
            defer { state.isBlocked = state.hasStarted }
            return state.hasStarted && !state.isBlocked
        }
        guard isFirst else { return }
        let before = (source: source.taken.value, other: other.taken.value)
        change { _ in }
        wait { state in
            Worker.allCases.allSatisfy { worker in
                guard let thread = state.threads[worker] else { return false }
                return state.returned.contains(worker) || pthread_equal(thread, pthread_self()) != 0
            }
        }
        state.withLock { $0.takenMeanwhile = (source.taken.value - before.source, other.taken.value - before.other) }
    }

    private func change(_ body: (inout State) -> Void) {
        condition.lock()
        state.withLock(body)
        condition.broadcast()
        condition.unlock()
    }

    private func wait(until isMet: (State) -> Bool) {
        condition.lock()
        while !state.withLock({ isMet($0) }) { condition.wait() }
        condition.unlock()
    }
}

/// A stream whose subscribers get its elements where `begin()` is called; later ones, where they subscribe.
private final class StartedSource: Sendable {
    private let subscribers = Lock<(waiting: [@Sendable () -> Void], hasBegun: Bool)>(([], false))
    private let count: Int
    private let pause = Lock<(@Sendable () -> Void)?>(nil)
    /// How many elements were taken.
    let taken = Tally()
    let subscriptions = Tally()

    init(count: Int) {
        self.count = count
    }

    var beforeSecond: (@Sendable () -> Void)? {
        get { pause.withLock { $0 } }
        set { pause.withLock { $0 = newValue } }
    }

    var observable: Observable<Probed> {
        let numbers = Observable<Int>.range(start: 0, count: count).map { [self] number in
            if number == 1 { beforeSecond?() }
            taken.add()
            return Probed(number)
        }
        return Observable { [self] downstream, lifetime in
            subscriptions.add()
            let start: @Sendable () -> Void = { numbers.subscribe(in: lifetime) { downstream.on($0) } }
            let hasBegun = subscribers.withLock { subscribers in
                if !subscribers.hasBegun { subscribers.waiting.append(start) }
                return subscribers.hasBegun
            }
            if hasBegun { start() }
        }
    }

    func begin() {
        let waiting = subscribers.withLock { subscribers in
            defer { subscribers = ([], true) }
            return subscribers.waiting
        }
        for start in waiting { start() }
    }
}
