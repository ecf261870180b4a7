import Schedulers
import StreamsTesting
import Testing

@Suite("Virtual time", .onOneThread, .countsResources)
struct VirtualTimeTests {
    let scheduler = VirtualTimeScheduler()

    @Test func `Actions run at their times, and simultaneous ones in order`() {
        let log = Log(scheduler)
        for (seconds, number) in [(3, 4), (1, 1), (2, 2), (2, 3)] {
            _ = scheduler.schedule(after: .seconds(seconds)) { log.note(number) }
        }
        scheduler.advance(to: .seconds(2))
        #expect(log.numbers == [1, 2, 3] && scheduler.now == .seconds(2))
        scheduler.run()
        #expect(log.entries.map(\.time) == [.seconds(1), .seconds(2), .seconds(2), .seconds(3)])
        #expect(scheduler.isIdle)
    }

    @Test func `Actions scheduled by actions run at their own time, also within the same advance`() {
        let log = Log(scheduler)
        _ = scheduler.schedule(after: .seconds(1)) { [scheduler] in
            _ = scheduler.schedule { log.note(1) }
            _ = scheduler.schedule(after: .seconds(1)) { log.note(2) }
        }
        scheduler.advance(by: .seconds(5))
        #expect(log.entries.map(\.time) == [.seconds(1), .seconds(2)])
        #expect(scheduler.now == .seconds(5))
    }

    @Test func `Time never goes back, and a delay that is not positive means now`() {
        let log = Log(scheduler)
        scheduler.advance(to: .seconds(5))
        scheduler.advance(to: .seconds(1))
        #expect(scheduler.now == .seconds(5))
        _ = scheduler.schedule(after: .seconds(-3)) { log.note(1) }
        scheduler.advance(by: .zero)
        #expect(log.entries.map(\.time) == [.seconds(5)])
    }

    @Test func `An action stops the time at its own, and the next advance continues`() {
        let log = Log(scheduler)
        for number in 1...3 {
            _ = scheduler.schedule(after: .seconds(number)) { [scheduler] in
                log.note(number)
                if number == 2 { scheduler.stop() }
            }
        }
        scheduler.advance(to: .seconds(9))
        #expect(log.numbers == [1, 2] && scheduler.now == .seconds(2))
        scheduler.stop()
        scheduler.run()
        #expect(log.numbers == [1, 2, 3] && scheduler.now == .seconds(3))
    }

    @Test func `Sleeping moves the clock only, and what was due meanwhile runs late`() {
        let log = Log(scheduler)
        _ = scheduler.schedule(after: .seconds(1)) { log.note(1) }
        scheduler.sleep(.seconds(5))
        scheduler.sleep(.seconds(-2))
        #expect(log.numbers == [] && scheduler.now == .seconds(5))
        scheduler.advance(by: .zero)
        #expect(log.entries.map(\.time) == [.seconds(5)])
        scheduler.sleep(.seconds(Int64.max))
        #expect(scheduler.now == .nanoseconds(Int64.max - 1))
    }

    @Test func `A periodic action does not drift, and skips missed runs`() {
        let log = Log(scheduler)
        let skew = Skew()
        let late = LateScheduler(time: scheduler, skew: skew)
        let schedule = late.schedulePeriodic(after: .seconds(1), every: .seconds(2)) {
            log.note(0)
            let runs = log.numbers.count
            // The second run comes half a second late, the third takes five seconds.
            skew.value = runs == 1 ? .milliseconds(500) : .zero
            if runs == 3 { late.pass(.seconds(5)) }
        }
        scheduler.advance(to: .seconds(14))
        schedule.dispose()
        #expect(log.entries.map(\.time) == [.seconds(1), .milliseconds(3_500), .seconds(5), .seconds(11), .seconds(13)])
        #expect(scheduler.isIdle)
    }

    @Test func `A periodic action whose first run precedes its schedule continues`() {
        let eager = EagerScheduler()
        let count = Lock(0)
        let schedule = eager.schedulePeriodic(after: .zero, every: .seconds(1)) { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        eager.time.advance(by: .seconds(2))
        #expect(count.withLock { $0 } == 3)
        schedule.dispose()
        #expect(eager.time.isIdle)
    }

    @Test func `A periodic action is called directly, however often it has run: the stack stays as it was`() throws {
        let addresses = Lock<[UInt]>([])
        let schedule = scheduler.schedulePeriodic(after: .seconds(1), every: .seconds(1)) {
            var mark: UInt8 = 0
            let address = withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            addresses.withLock { $0.append(address) }
        }
        scheduler.advance(by: .seconds(2_000))
        schedule.dispose()
        let seen = addresses.withLock { $0 }
        #expect(seen.count == 2_000)
        // The first run may be called from elsewhere than the others.
        #expect(Set(seen.dropFirst()).count == 1)
    }

    @Test func `The heap keeps its order after any removal`() {
        let log = Log(scheduler)
        var random = SystemRandomNumberGenerator()
        var pending: [(number: Int, due: Int, action: any Disposable)] = []
        for number in 0..<2_000 {
            let due = Int.random(in: 0..<300, using: &random)
            pending.append((number, due, scheduler.schedule(after: .milliseconds(due)) { log.note(number) }))
            if number.isMultiple(of: 3) {
                pending.remove(at: Int.random(in: pending.indices, using: &random)).action.dispose()
            }
        }
        let expected = pending.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(\.number)
        scheduler.run()
        #expect(log.numbers == expected)
    }

    @Test func `A deallocated scheduler frees its pending actions, which can still be disposed`() {
        weak var token: Token?
        let action: any Disposable
        do {
            let (gone, held) = (VirtualTimeScheduler(), Token())
            token = held
            action = gone.schedule(after: .seconds(1)) { withExtendedLifetime((gone.now, held)) {} }
            _ = VirtualTimeScheduler().schedule(after: .seconds(1)) { withExtendedLifetime(held) {} }
            action.dispose()
        }
        #expect(token == nil)
        let waiting = VirtualTimeScheduler().schedule(after: .seconds(1)) {}
        waiting.dispose()
    }

    private final class Token: Sendable {}
}

/// Notes numbers with their times.
private final class Log: Sendable {
    private let notes = Lock<[(time: Duration, number: Int)]>([])
    private let clock: any Scheduler

    init(_ clock: any Scheduler) {
        self.clock = clock
    }

    var entries: [(time: Duration, number: Int)] { notes.withLock { $0 } }
    var numbers: [Int] { entries.map(\.number) }

    func note(_ number: Int) {
        let now = clock.now
        notes.withLock { $0.append((now, number)) }
    }
}

/// By how much the next action comes too late.
private final class Skew: Sendable {
    private let current = Lock<Duration>(.zero)

    var value: Duration {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Runs each action `skew` too late, and lets time pass while an action runs.
private final class LateScheduler: Scheduler {
    private let time: VirtualTimeScheduler
    private let skew: Skew
    private let passed = Lock<Duration>(.zero)

    init(time: VirtualTimeScheduler, skew: Skew) {
        self.time = time
        self.skew = skew
    }

    var now: Duration { time.now + passed.withLock { $0 } }

    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(action)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        let passed = passed.withLock { passed in
            defer { passed = .zero }
            return passed
        }
        return time.schedule(after: delay + passed + skew.value, action)
    }

    func pass(_ duration: Duration) {
        passed.withLock { $0 += duration }
    }
}

/// Runs its first delayed action before `schedule` returns, as another thread may.
private final class EagerScheduler: Scheduler {
    let time = VirtualTimeScheduler()
    private let isFirst = Lock(true)

    var now: Duration { time.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(action)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        guard isFirst else { return time.schedule(after: delay, action) }
        action()
        return Disposables.create()
    }
}
