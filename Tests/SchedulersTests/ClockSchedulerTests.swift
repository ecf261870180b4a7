import Dispatch
import Schedulers
import Testing

@Suite("A scheduler on a clock")
struct ClockSchedulerTests {
    private let clock = ManualClock(now: .seconds(100))
    private let scheduler: ClockScheduler<ManualClock>
    /// The elements that the actions emitted, in order.
    private let emitted: AsyncStream<String>
    private let emit: AsyncStream<String>.Continuation

    init() {
        scheduler = ClockScheduler(clock)
        (emitted, emit) = AsyncStream.makeStream()
    }

    @Test func `Its time begins with zero, and is the clock's`() {
        #expect(scheduler.now == .zero)
        clock.advance(by: .seconds(3))
        #expect(scheduler.now == .seconds(3))
    }

    @Test func `An action runs when its delay has passed, not before`() async {
        plan("late", after: .seconds(2))
        await clock.sleepers(until: [.seconds(102)])
        clock.advance(by: .milliseconds(1_999))
        plan("immediate")
        #expect(await first(1) == ["immediate"])
        clock.advance(by: .milliseconds(1))
        #expect(await first(1) == ["late"])
    }

    @Test func `However many delays are pending, there is one sleeper, until the earliest of them`() async {
        plan("third", after: .seconds(3))
        await clock.sleepers(until: [.seconds(103)])
        plan("fourth", after: .seconds(4))
        plan("second", after: .seconds(2))
        plan("first", after: .seconds(1))
        await clock.sleepers(until: [.seconds(101)])
        clock.advance(by: .seconds(1))
        await clock.sleepers(until: [.seconds(102)])
        clock.advance(by: .seconds(5))
        #expect(await first(4) == ["first", "second", "third", "fourth"])
        await clock.sleepers(until: [])
    }

    @Test func `Actions that are due at the same time run in the order in which they were scheduled`() async {
        for number in 0..<100 { plan("\(number)", after: .seconds(1)) }
        await clock.sleepers(until: [.seconds(101)])
        clock.advance(by: .seconds(1))
        #expect(await first(100) == (0..<100).map { "\($0)" })
    }

    @Test func `A disposed action does not run, and nothing sleeps for it`() async {
        let disposable = plan("disposed", after: .seconds(1))
        await clock.sleepers(until: [.seconds(101)])
        disposable.dispose()
        await clock.sleepers(until: [])
        disposable.dispose()
        plan("kept", after: .seconds(1))
        await clock.sleepers(until: [.seconds(101)])
        clock.advance(by: .seconds(2))
        #expect(await first(1) == ["kept"])
    }

    @Test func `The other actions still run after the earliest was disposed`() async {
        let earliest = plan("disposed", after: .seconds(1))
        plan("kept", after: .seconds(2))
        await clock.sleepers(until: [.seconds(101)])
        earliest.dispose()
        clock.advance(by: .seconds(1))
        await clock.sleepers(until: [.seconds(102)])
        clock.advance(by: .seconds(1))
        #expect(await first(1) == ["kept"])
    }

    @Test func `A clock that wakes early is slept on again`() async {
        plan("action", after: .seconds(1))
        await clock.sleepers(until: [.seconds(101)])
        clock.wakeEarly()
        await clock.sleepers(until: [])
        await clock.sleepers(until: [.seconds(101)])
        clock.advance(by: .seconds(1))
        #expect(await first(1) == ["action"])
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `A delay that is not positive, and an immediate action, need no sleep`(delay: Duration) async {
        plan("delayed", after: delay)
        #expect(await first(1) == ["delayed"])
        plan("immediate")
        #expect(await first(1) == ["immediate"])
    }

    @Test func `A period is repeated until it is disposed`() async {
        let period = scheduler.schedulePeriodic(after: .seconds(1), every: .seconds(2)) { [emit] in emit.yield("tick") }
        for deadline in [101, 103, 105] {
            await clock.sleepers(until: [.seconds(deadline)])
            clock.advance(by: .seconds(deadline == 101 ? 1 : 2))
            #expect(await first(1) == ["tick"])
        }
        await clock.sleepers(until: [.seconds(107)])
        period.dispose()
        await clock.sleepers(until: [])
    }

    @Test func `Actions run one at a time, also those that are scheduled from several threads`() async {
        let running = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                _ = scheduler.schedule { [emit] in
                    let isAlone = running.withLock { running in
                        running += 1
                        return running == 1
                    }
                    emit.yield(isAlone ? "alone" : "overlapping")
                    running.withLock { $0 -= 1 }
                }
            }
        }
        #expect(await first(400) == Array(repeating: "alone", count: 400))
    }

    @discardableResult
    private func plan(_ name: String, after delay: Duration? = nil) -> any Disposable {
        guard let delay else { return scheduler.schedule { [emit] in emit.yield(name) } }
        return scheduler.schedule(after: delay) { [emit] in emit.yield(name) }
    }

    /// The next `count` emitted names.
    private func first(_ count: Int) async -> [String] {
        var names: [String] = []
        for await name in emitted {
            names.append(name)
            if names.count == count { break }
        }
        return names
    }
}
