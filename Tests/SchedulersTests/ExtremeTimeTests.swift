import Dispatch
import StreamsTesting
import Testing

@testable import Schedulers

@Suite("Extreme times", .onOneThread, .countsResources)
struct ExtremeTimeTests {
    static let never: [Duration] = [
        .nanoseconds(Int64.max), .seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]
    static let attosecond = Duration(secondsComponent: 0, attosecondsComponent: 1)

    @Test func `A duration is clamped to an Int64 of nanoseconds`() {
        for time in Self.never { #expect(time.nanoseconds == .max) }
        for time in Self.never { #expect((.zero - time).nanoseconds < -Int64.max + 2) }
        #expect((Duration.seconds(Int64.max) + .seconds(Int64.max)).nanoseconds == .max)
        #expect((Duration.seconds(Int64.min) + .seconds(Int64.min)).clamped == .nanoseconds(Int64.min))
        #expect(Self.attosecond.nanoseconds == 0)
        #expect(Duration(clampingSeconds: .nan) == .zero)
        #expect(Duration(clampingSeconds: -.infinity) < .seconds(-9_000_000_000))
        #expect(Duration(clampingSeconds: 1e308) > .seconds(9_000_000_000))
    }

    @Test func `A deadline is never early, and one beyond Int64 is never reached`() {
        #expect(Self.attosecond.deadline(from: 5) == 6)
        #expect(Duration.nanoseconds(2).deadline(from: 5) == 7)
        #expect((.nanoseconds(2) + Self.attosecond).deadline(from: 5) == 8)
        #expect(Duration.seconds(-1).deadline(from: 5) == 5)
        #expect((.zero - Self.attosecond).deadline(from: 5) == 5)
        for time in Self.never { #expect(time.deadline(from: 5) == .max) }
        #expect(Duration.nanoseconds(Int64.max - 1).deadline(from: 0) == .max - 1)
        #expect((.nanoseconds(Int64.max - 1) + Self.attosecond).deadline(from: 0) == .max)
    }

    @Test func `Virtual time ends, and later actions never run`() {
        let scheduler = VirtualTimeScheduler()
        let log = Lock<[String]>([])
        for time in Self.never { _ = scheduler.schedule(after: time) { log.withLock { $0.append("never") } } }
        let period = scheduler.schedulePeriodic(after: .seconds(1), every: .seconds(Int64.max)) { log.withLock { $0.append("period") } }
        scheduler.run()
        #expect(scheduler.now == .seconds(1))
        scheduler.advance(by: .seconds(Int64.max))
        scheduler.advance(by: .seconds(Int64.max))
        _ = scheduler.schedule { log.withLock { $0.append("end") } }
        _ = scheduler.schedule(after: .nanoseconds(1)) { log.withLock { $0.append("never") } }
        scheduler.run()
        #expect(log.withLock { $0 } == ["period", "end"])
        period.dispose()
    }

    @Test func `A period below a nanosecond counts as one`() {
        let scheduler = VirtualTimeScheduler()
        let runs = Lock(0)
        let schedule = scheduler.schedulePeriodic(after: Self.attosecond, every: Self.attosecond) { runs.withLock { $0 += 1 } }
        scheduler.advance(to: .nanoseconds(10))
        #expect(runs.withLock { $0 } == 10)
        schedule.dispose()
    }

    @Test(arguments: never + [.seconds(1 << 33)])
    func `An infinite delay can be scheduled, overtaken by a short one, and cancelled`(delay: Duration) async {
        let schedulers: [any Scheduler] = [
            SerialDispatchQueueScheduler(), ConcurrentDispatchQueueScheduler(qos: .userInitiated), ClockScheduler(ContinuousClock()),
            ClockScheduler(SuspendingClock()),
        ]
        for scheduler in schedulers {
            let isEarly = Lock(false)
            let waiting = scheduler.schedule(after: delay) { isEarly.withLock { $0 = true } }
            let period = scheduler.schedulePeriodic(after: delay, every: delay) { isEarly.withLock { $0 = true } }
            await withCheckedContinuation { continuation in
                _ = scheduler.schedule(after: .milliseconds(5)) { continuation.resume() }
            }
            #expect(!isEarly.withLock { $0 })
            waiting.dispose()
            period.dispose()
        }
    }

    @Test func `A clock before its origin, and one that jumps by centuries, are harmless`() {
        final class JumpingScheduler: Scheduler {
            let time = Lock(Duration.zero)
            let actions = Lock<[@Sendable () -> Void]>([])
            var now: Duration { time.withLock { $0 } }

            func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable { schedule(after: .zero, action) }

            func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
                actions.withLock { $0.append(action) }
                return Disposables.create()
            }
        }
        let scheduler = JumpingScheduler()
        let schedule = scheduler.schedulePeriodic(after: .zero, every: .nanoseconds(1)) {}
        for time in [Duration.seconds(1 << 50), .seconds(-(1 << 50)), .nanoseconds(Int64.max)] {
            scheduler.time.withLock { $0 = time }
            scheduler.actions.withLock { $0.removeFirst() }()
        }
        #expect(scheduler.actions.withLock { $0.count } == 1)
        #expect(TimerEntry(deadline: -5) {}.deadline == 0)
        schedule.dispose()
        scheduler.actions.withLock { $0 = [] }
    }

    @Test func `An action of the main scheduler runs synchronously on the main loop if none is queued, and never inside another`() async {
        let scheduler = MainScheduler(runsSynchronously: true)
        let log = Log()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                _ = scheduler.schedule {
                    log.note("first")
                    _ = scheduler.schedule { log.note("inside") }
                    log.note("first ends")
                }
                log.note("scheduled")
                _ = scheduler.schedule { log.note("behind") }
                scheduler.schedule { log.note("never") }.dispose()
                _ = scheduler.schedule { continuation.resume() }
                log.note("returned")
            }
        }
        #expect(log.texts == ["first", "first ends", "scheduled", "returned", "inside", "behind"])
        let later = MainScheduler(runsSynchronously: false)
        let isSynchronous = await MainActor.run {
            let hasRun = Lock(false)
            later.schedule { hasRun.withLock { $0 = true } }.dispose()
            return hasRun.withLock { $0 }
        }
        #expect(!isSynchronous)
    }

    @Test func `An action of the main scheduler from another thread waits for the main loop`() async {
        let scheduler = MainScheduler(runsSynchronously: true)
        let isOnMainLoop = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            DispatchQueue.global(qos: .userInitiated).async {
                _ = scheduler.schedule { continuation.resume(returning: MainScheduler.isOnMainLoop) }
            }
        }
        #expect(isOnMainLoop)
    }

    private final class Log: Sendable {
        private let lines = Lock<[String]>([])

        var texts: [String] { lines.withLock { $0 } }

        func note(_ text: String) {
            lines.withLock { $0.append(text) }
        }
    }
}
