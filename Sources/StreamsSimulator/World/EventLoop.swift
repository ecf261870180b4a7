import CStreamsSystem
import Schedulers
import StreamsTesting
import Synchronization

/// The one thread of a simulation. It runs due actions in virtual time, and the jobs of tasks, one after the other.
///
/// `@unchecked Sendable`: confined to the thread that runs the simulation, except for `shared` and `hasReturned`. `escape(to:)` checks that
/// for the calls of users.
final class EventLoop: @unchecked Sendable {
    private struct Job {
        let job: UnownedJob
        let owner: Incarnation?
        let isMain: Bool
    }

    /// The state that other threads access.
    private struct Shared {
        /// The first event that was not on the thread of the simulation, in a sentence.
        var escape: String?
        /// The tasks by their numbers, with the process that created each; `nil` for the world's own.
        var tasks: [UInt64: Incarnation?] = [:]
        /// Jobs of these tasks that other threads have enqueued.
        var returned: [Job] = []
    }

    private static let reference = ThreadReference<EventLoop>()
    /// The executor without identity, which belongs to code of no actor.
    private static let noActor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    /// The loops whose runs have begun and not ended, and their number.
    private static let loops = Lock<[EventLoop]>([])
    private static let loopCount = Atomic(0)

    let time = VirtualTimeScheduler()
    /// The generator for all decisions that the service does not make: the order of jobs, latencies, the results of `random`.
    var random: SeededGenerator
    /// The process whose code is running; `nil` for the world's own code.
    private(set) var current: Incarnation?
    /// The process for which the world's code is running.
    private(set) var beneficiary: Incarnation?
    private(set) var isOnMainLoop = false
    /// Whether the run is over: actions that the world itself has scheduled no longer run.
    var isEnding = false
    private var jobs: [Job] = []
    /// The jobs of the main actor, which run in order.
    private var mainJobs: [Job] = []
    private(set) var standstill = Standstill()
    private let progress: SimulationProgress
    private let shared = Lock(Shared())
    private let hasReturned = Atomic(false)
    private let hasEscaped = Atomic(false)

    init(seed: UInt64, _ progress: SimulationProgress) {
        (random, self.progress) = (SeededGenerator(seed: seed), progress)
    }

    /// The loop that runs on this thread.
    static var current: EventLoop? { reference.current }

    /// The event that was not on the thread of the simulation, where nothing is reproducible, in a sentence.
    var escape: String? { hasEscaped.load(ordering: .acquiring) ? shared.withLock { $0.escape } : nil }

    /// Whether the run cannot succeed any more.
    var hasFailed: Bool { standstill.isFound || progress.isInterrupted || hasEscaped.load(ordering: .acquiring) }

    /// Records a call from another thread; returns whether this call is one.
    func escape(to call: @autoclosure () -> String) -> Bool {
        guard Self.current !== self else { return false }
        recordEscape("Outside of the simulation's thread, \(call()) was called: something started a thread.")
        return true
    }

    private func recordEscape(_ sentence: String) {
        shared.withLock { $0.escape = $0.escape ?? sentence }
        hasEscaped.store(true, ordering: .releasing)
    }

    /// Runs `body` as code of a process, or of the world.
    ///
    /// - Parameter beneficiary: the process that has asked the world to run it.
    func run(as owner: Incarnation?, for beneficiary: Incarnation? = nil, onMainLoop: Bool = false, _ body: () -> Void) {
        let outer = (current, self.beneficiary, isOnMainLoop)
        (current, self.beneficiary, isOnMainLoop) = (owner, beneficiary, onMainLoop)
        if let owner { standstill.didRun(owner) }
        progress.setRunning(owner)
        body()
        (current, self.beneficiary, isOnMainLoop) = outer
        progress.setRunning(current)
    }

    /// Runs `start` and everything that it began, until `isDone`, or until nothing is left to do.
    func run(as system: SimulatedSystem, start: () -> Void, until isDone: () -> Bool) {
        precondition(TaskHooks.areSet, "this runtime lets nobody decide where tasks run")
        system.run {
            Self.reference.with(self) {
                start()
                while !isDone(), step() {}
            }
        }
    }

    private func step() -> Bool {
        standstill.beginStep()
        if hasReturned.exchange(false, ordering: .acquiring) { takeReturned() }
        guard runJob() || time.runNext() else { return false }
        standstill.endStep(at: time.now)
        progress.didStep()
        return true
    }

    /// Runs one of the ready jobs; the seed chooses which. Returns whether there was one.
    private func runJob() -> Bool {
        let count = jobs.count + min(mainJobs.count, 1)
        guard count > 0 else { return false }
        let index = count == 1 ? 0 : Int.random(in: 0..<count, using: &random)
        if index < jobs.count {
            let next = jobs.remove(at: index)
            run(as: next.owner) { next.job.runSynchronously(on: Self.noActor) }
        } else {
            let next = mainJobs.removeFirst()
            run(as: next.owner, onMainLoop: true) { next.job.runSynchronously(on: TaskHooks.mainExecutorReference) }
        }
        return true
    }
}

/// Jobs of tasks.
extension EventLoop {
    /// Makes jobs of tasks that other threads resume return to this loop, until `leave()`.
    func enter() {
        Self.loops.withLock { $0.append(self) }
        Self.loopCount.add(1, ordering: .relaxed)
    }

    func leave() {
        Self.loopCount.subtract(1, ordering: .relaxed)
        Self.loops.withLock { $0.removeAll { $0 === self } }
        takeReturned()
    }

    /// Takes a job that the simulation of this thread has enqueued, or that any thread has enqueued for a task of a simulation. Returns
    /// whether it took the job.
    ///
    /// - Parameter sleeps: whether the job runs after a time of a real clock.
    static func take(_ job: UnownedJob, isMain: Bool = false, sleeps: Bool = false) -> Bool {
        if let loop = current {
            loop.add(job, isMain: isMain, sleeps: sleeps)
            return true
        }
        guard loopCount.load(ordering: .relaxed) > 0 else { return false }
        let number = streams_task_number(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        return number != 0 && loops.withLock { $0.contains { $0.takeBack(job, of: number, isMain: isMain) } }
    }

    private func add(_ job: UnownedJob, isMain: Bool, sleeps: Bool) {
        let number = streams_task_number(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        var owner = current
        // A task belongs to the process that has created it, even when another one resumes it.
        if number != 0 {
            owner = shared.withLock { shared in
                if let creator = shared.tasks[number] { return creator }
                shared.tasks.updateValue(current, forKey: number)
                return current
            }
        }
        if sleeps {
            recordEscape("\(Self.description(of: owner)) sleeps on a real clock: `Task.sleep` needs `clock: environment.clock`.")
        }
        append(Job(job: job, owner: owner, isMain: isMain))
    }

    private func append(_ job: Job) {
        if job.isMain { mainJobs.append(job) } else { jobs.append(job) }
    }

    /// Takes a job from another thread if it belongs to a task of this loop, and fails the run. Returns whether it does.
    private func takeBack(_ job: UnownedJob, of number: UInt64, isMain: Bool) -> Bool {
        guard let owner = shared.withLock({ $0.tasks[number] }) else { return false }
        recordEscape("\(Self.description(of: owner)) waits for something outside: another thread has resumed one of its tasks.")
        shared.withLock { $0.returned.append(Job(job: job, owner: owner, isMain: isMain)) }
        hasReturned.store(true, ordering: .releasing)
        return true
    }

    private func takeReturned() {
        let returned = shared.withLock { shared in
            defer { shared.returned = [] }
            return shared.returned
        }
        for job in returned { append(job) }
    }

    static func description(of owner: Incarnation?) -> String {
        owner.map { "The process \"\($0.process)\" (\($0.place))" } ?? "The body of the simulation"
    }

    /// Returns whether the code of a process will run again by itself.
    func hasJobs(of owner: Incarnation) -> Bool { (jobs + mainJobs).contains { $0.owner === owner } }
}

/// Runs its actions in the time of a simulation, as code of one process. They are dropped once that process has ended.
struct LoopScheduler: Scheduler {
    enum Owner {
        /// The process whose code schedules an action.
        case current
        case world
        case process(Incarnation)
    }

    let loop: EventLoop
    let owner: Owner
    var isMainLoop = false

    var now: Duration { loop.time.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        schedule(after: .zero, action)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        if loop.escape(to: "a scheduler of the simulation") { return Disposables.create() }
        let incarnation: Incarnation? =
            switch owner {
            case .current: loop.current
            case .world: nil
            case .process(let process): process
            }
        let wakeup = (incarnation ?? loop.current ?? loop.beneficiary)?.expectWakeup()
        let scheduled = loop.time.schedule(after: delay) { [loop, isMainLoop] in
            wakeup?.end()
            guard incarnation?.isAlive ?? !loop.isEnding else { return }
            loop.run(as: incarnation, for: wakeup?.owner, onMainLoop: isMainLoop, action)
        }
        guard let wakeup else { return scheduled }
        return Disposables.create {
            scheduled.dispose()
            wakeup.end()
        }
    }
}
