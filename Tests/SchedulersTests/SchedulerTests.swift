import Dispatch
import Foundation
import Schedulers
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Schedulers", .countsResources)
struct SchedulerTests {
    @Test func `The main queue is recognized, whichever object it is`() {
        #expect(DispatchQueue.main.isMain)
        #expect(!DispatchQueue.global().isMain)
        #expect(!DispatchQueue(label: "com.apple.main-thread", target: .main).isMain)
    }

    @Test func `The immediate scheduler runs synchronously`() {
        let log = Lock<[Int]>([])
        _ = ImmediateScheduler.instance.schedule { log.withLock { $0.append(1) } }
        _ = ImmediateScheduler.instance.schedule(after: .milliseconds(1)) { log.withLock { $0.append(2) } }
        #expect(log.withLock { $0 } == [1, 2])
        #expect(ImmediateScheduler.instance.canRunSynchronously)
    }

    @Test func `The current thread runs actions scheduled by an action after it, by time and then in order`() {
        let log = Lock<[Int]>([])
        let scheduler = CurrentThreadScheduler.instance
        _ = scheduler.schedule {
            // Is disposed before it is due, unless it runs before those that are due earlier.
            let last = scheduler.schedule(after: .seconds(600)) { log.withLock { $0.append(9) } }
            _ = scheduler.schedule { log.withLock { $0.append(2) } }
            _ = scheduler.schedule { log.withLock { $0.append(3) } }
            scheduler.schedule { log.withLock { $0.append(9) } }.dispose()
            _ = scheduler.schedule(after: .milliseconds(2)) {
                log.withLock { $0.append(4) }
                last.dispose()
            }
            log.withLock { $0.append(1) }
        }
        #expect(log.withLock { $0 } == [1, 2, 3, 4])
    }

    @Test func `A periodic action of the current thread is repeated before a later action that it scheduled`() {
        let scheduler = CurrentThreadScheduler.instance
        let log = Lock<[String]>([])
        let holder = SingleAssignmentDisposable()
        let schedule = PeriodicSchedule(period: .milliseconds(1), scheduler: scheduler) {
            let isFirst = log.withLock { log in
                log.append("run")
                return log.count == 1
            }
            guard isFirst else { return }
            _ = scheduler.schedule(after: .milliseconds(50)) {
                log.withLock { $0.append("later") }
                holder.dispose()
            }
        }
        holder.setDisposable(schedule)
        // Returns when everything has run.
        schedule.start(after: .zero)
        #expect(log.withLock { $0.prefix(2) } == ["run", "run"])
        #expect(log.withLock { $0.last } == "later")
    }

    @Test func `The current thread does not wait for a delay that was cancelled`() {
        let scheduler = CurrentThreadScheduler.instance
        let isDone = Lock(false)
        // Otherwise it waits for ever.
        _ = scheduler.schedule {
            scheduler.schedule(after: .seconds(1 << 40)) {}.dispose()
            isDone.withLock { $0 = true }
        }
        #expect(isDone.withLock { $0 })
    }

    /// Otherwise it waits for a day, or for ever.
    @Test(arguments: [Duration.seconds(86_400), .seconds(1 << 40)])
    func `The current thread wakes from a delay that another thread cancels`(delay: Duration) {
        let scheduler = CurrentThreadScheduler.instance
        let hasRun = Lock(false)
        _ = scheduler.schedule {
            let waiting = scheduler.schedule(after: delay) { hasRun.withLock { $0 = true } }
            Thread.detachNewThread { waiting.dispose() }
        }
        #expect(!hasRun.withLock { $0 })
    }

    @Test func `An operation queue runs the actions as its operations, at a priority and in order`() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let log = Lock<[Int]>([])
        let low = OperationQueueScheduler(operationQueue: queue, queuePriority: .low)
        let high = OperationQueueScheduler(operationQueue: queue, queuePriority: .high)
        _ = low.schedule { log.withLock { $0.append(3) } }
        _ = high.schedule { log.withLock { $0.append(1) } }
        _ = high.schedule { log.withLock { $0.append(2) } }
        high.schedule { log.withLock { $0.append(9) } }.dispose()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.withLock { $0 } == [1, 2, 3])
    }

    @Test func `An operation queue runs a delayed action unless it is disposed, and keeps the order of a stream`() throws {
        let queue = OperationQueue()
        let scheduler = OperationQueueScheduler(operationQueue: queue)
        let hasRun = DispatchSemaphore(value: 0)
        // However long this thread is held up, nothing runs before the disposal.
        queue.isSuspended = true
        scheduler.schedule(after: .milliseconds(1)) { Issue.record("ran although it was disposed") }.dispose()
        let action = scheduler.schedule(after: .milliseconds(1)) { hasRun.signal() }
        queue.isSuspended = false
        hasRun.wait()
        action.dispose()
        let numbers = Observable.range(start: 0, count: 1_000).observe(on: scheduler).toBlocking(timeout: .seconds(120))
        #expect(try numbers.toArray() == Array(0..<1_000))
    }

    @Test(.startsChild) func `What must run on the main loop stops the program elsewhere`() async {
        await MainActor.run { MainScheduler.ensureRunningOnMainThread() }
        await #expect(processExitsWith: .failure) {
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                MainScheduler.ensureRunningOnMainThread(errorMessage: "elsewhere")
                isOver.signal()
            }
            isOver.wait()
        }
    }

    @Test func `Recursion on the current thread does not grow the stack`() {
        let count = Lock(0)
        @Sendable func step() {
            let didResume = count.withLock { count -> Bool in
                count += 1
                return count < 100_000
            }
            if didResume { _ = CurrentThreadScheduler.instance.schedule(step) }
        }
        _ = CurrentThreadScheduler.instance.schedule(step)
        #expect(count.withLock { $0 } == 100_000)
    }

    static let queues: [(String, any Scheduler)] = [
        ("serial", SerialDispatchQueueScheduler(label: "test")),
        ("serial on a concurrent queue", SerialDispatchQueueScheduler(queue: .global(qos: .userInitiated))),
    ]

    @Test(arguments: 0..<2) func `A serial queue runs one at a time, in order`(index: Int) throws {
        let scheduler = Self.queues[index].1
        let done = DispatchSemaphore(value: 0)
        let log = Lock<[Int]>([])
        for number in 0..<1_000 {
            _ = scheduler.schedule { log.withLock { $0.append(number) } }
        }
        _ = scheduler.schedule { done.signal() }
        #expect(done.wait(timeout: .now() + 300) == .success)
        #expect(log.withLock { $0 } == Array(0..<1_000))
    }

    @Test func `Delays fire in the order of their times, disposed ones do not`() throws {
        let scheduler = SerialDispatchQueueScheduler(label: "test")
        let (areScheduled, fired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = Lock<[Int]>([])
        // Nothing fires until all are scheduled, and one of them is disposed.
        _ = scheduler.schedule { areScheduled.wait() }
        let delays = [300, 100, 150, 200].map { delay in
            let earliest = scheduler.now + .milliseconds(delay)
            let disposable = scheduler.schedule(after: .milliseconds(delay)) {
                log.withLock { $0.append(delay) }
                fired.signal()
            }
            return (delay: delay, earliest: earliest, latest: scheduler.now + .milliseconds(delay), disposable: disposable)
        }
        delays[2].disposable.dispose()
        areScheduled.signal()
        for _ in 0..<3 { #expect(fired.wait(timeout: .now() + 300) == .success) }
        let order = log.withLock { $0 }
        #expect(order.sorted() == [100, 200, 300])
        // Where the machine held this thread up, their times have another order than their lengths.
        for (first, second) in zip(order, order.dropFirst()) {
            let earliest = delays.first { $0.delay == first }?.earliest
            let latest = delays.first { $0.delay == second }?.latest
            #expect(try #require(earliest) <= #require(latest))
        }
    }

    @Test func `A delay runs behind an earlier one that was cancelled, and before a later one for which the timer is armed`() {
        let scheduler = SerialDispatchQueueScheduler()
        let hasRun = DispatchSemaphore(value: 0)
        scheduler.schedule(after: .milliseconds(5)) { Issue.record("ran although it was disposed") }.dispose()
        _ = scheduler.schedule(after: .milliseconds(10)) { hasRun.signal() }
        hasRun.wait()
        let distant = scheduler.schedule(after: .seconds(86_400)) {}
        for _ in 0..<2 {
            _ = scheduler.schedule(after: .milliseconds(1)) { hasRun.signal() }
            hasRun.wait()
        }
        distant.dispose()
        _ = scheduler.schedule(after: .milliseconds(1)) { hasRun.signal() }
        hasRun.wait()
    }

    @Test func `A delay fires even after its scheduler is deallocated`() {
        let done = DispatchSemaphore(value: 0)
        _ = SerialDispatchQueueScheduler(label: "test").schedule(after: .milliseconds(5)) { done.signal() }
        #expect(done.wait(timeout: .now() + 300) == .success)
    }

    @Test func `An action disposed before it starts does not run, and is freed immediately`() {
        let scheduler = SerialDispatchQueueScheduler(label: "test")
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let ran = Lock(false)
        weak var token: Token?
        _ = scheduler.schedule { gate.wait() }
        do {
            let held = Token()
            token = held
            scheduler.schedule { withExtendedLifetime(held) { ran.withLock { $0 = true } } }.dispose()
        }
        #expect(token == nil)
        _ = scheduler.schedule { done.signal() }
        gate.signal()
        #expect(done.wait(timeout: .now() + 300) == .success)
        #expect(!ran.withLock { $0 })
    }

    @Test func `100,000 pending delays are scheduled and cancelled quickly`() {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .utility)
        do {
            let all = (0..<100_000).map { scheduler.schedule(after: .seconds(100_000 + $0 % 1_000)) {} }
            #expect(Resources.total == 100_000)
            for disposable in all { disposable.dispose() }
        }
        #expect(Resources.total == 0)
    }

    @Test func `A periodic action runs in real time until it is disposed, also from inside itself`() {
        let scheduler = SerialDispatchQueueScheduler(label: "test")
        let holder = SerialDisposable()
        let done = DispatchSemaphore(value: 0)
        let count = Lock(0)
        holder.disposable = scheduler.schedulePeriodic(after: .zero, every: .milliseconds(2)) {
            let runs = count.withLock { count -> Int in
                count += 1
                return count
            }
            guard runs == 5 else { return }
            holder.dispose()
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 300) == .success)
        let flushed = DispatchSemaphore(value: 0)
        _ = scheduler.schedule(after: .milliseconds(10)) { flushed.signal() }
        #expect(flushed.wait(timeout: .now() + 300) == .success)
        #expect(count.withLock { $0 } == 5)
    }

    @Test(arguments: [SerialDispatchQueueScheduler(), ConcurrentDispatchQueueScheduler(qos: .userInitiated)] as [any Scheduler])
    func `The runs of a periodic action do not overlap, also after one that took several periods`(scheduler: any Scheduler) {
        let running = Atomic(0)
        let overlaps = Atomic(0)
        let runs = Atomic(0)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let schedule = scheduler.schedulePeriodic(after: .zero, every: .microseconds(100)) {
            if running.add(1, ordering: .acquiringAndReleasing).oldValue > 0 { overlaps.add(1, ordering: .relaxed) }
            let run = runs.add(1, ordering: .acquiringAndReleasing).newValue
            if run == 1 { gate.wait() }
            running.subtract(1, ordering: .acquiringAndReleasing)
            if run == 20 { done.signal() }
        }
        // Another delay that passes meanwhile: several periods are over.
        _ = SerialDispatchQueueScheduler().schedule(after: .milliseconds(2)) { gate.signal() }
        #expect(done.wait(timeout: .now() + 300) == .success)
        schedule.dispose()
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }

    @Test func `An infinite delay is pending, and can be cancelled`() {
        for scheduler in [SerialDispatchQueueScheduler(label: "test"), VirtualTimeScheduler()] as [any Scheduler] {
            let disposable = scheduler.schedule(after: .seconds(Int64.max)) { Issue.record("it fired") }
            disposable.dispose()
        }
    }

    private final class Token: Sendable {}
}
