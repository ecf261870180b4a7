import CSystem
import Schedulers
import StreamsTesting

/// The one thread of a simulation: runs what is due in virtual time, and the jobs of tasks, one after the other.
///
/// `@unchecked Sendable`: confined to the thread that runs the simulation. `escape(to:)` checks that for the calls of users.
final class EventLoop: @unchecked Sendable {
    private struct Job {
        let job: UnownedJob
        let owner: Incarnation?
    }

    private static let reference = ThreadReference<EventLoop>()
    /// An executor without identity: that of code which belongs to no actor.
    private static let noActor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    private static let mainExecutor = SimulatedMainExecutor()
    private static let areJobsHooked: Bool = {
        let words = unsafeBitCast(mainExecutor.asUnownedSerialExecutor(), to: (UInt, UInt).self)
        let take: streams_take_job = { job in
            guard let job, let loop = EventLoop.current else { return 0 }
            loop.add(unsafeBitCast(job, to: UnownedJob.self), isMain: false)
            return 1
        }
        return streams_hook_jobs(take, { EventLoop.current == nil ? 0 : 1 }, words.0, words.1) != 0
    }()

    let time = VirtualTimeScheduler()
    /// Decides what is not decided by the service: the order of jobs, latencies, what `random` returns.
    var random: SeededGenerator
    /// The process whose code is running; `nil` for the world's.
    private(set) var current: Incarnation?
    private(set) var isOnMainLoop = false
    /// Whether the run is over: what the world itself has scheduled does not run any more.
    var isEnding = false
    private var jobs: [Job] = []
    /// Those of the main actor, which run in order.
    private var mainJobs: [Job] = []
    private let escaped = Lock<String?>(nil)

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// The loop that runs on this thread.
    static var current: EventLoop? { reference.current }

    /// What was called on another thread, where nothing is reproducible.
    var escapedCall: String? { escaped.withLock { $0 } }

    /// Records a call from another thread; returns whether this is one.
    func escape(to call: @autoclosure () -> String) -> Bool {
        guard Self.current !== self else { return false }
        let call = call()
        escaped.withLock { $0 = $0 ?? call }
        return true
    }

    /// Runs `body` as code of a process.
    func run(as owner: Incarnation?, onMainLoop: Bool = false, _ body: () -> Void) {
        let outer = (current, isOnMainLoop)
        (current, isOnMainLoop) = (owner, onMainLoop)
        body()
        (current, isOnMainLoop) = outer
    }

    /// Runs `start`, and then whatever that began until `isDone`, or until nothing is left to do.
    func run(as system: SimulatedSystem, start: () -> Void, until isDone: () -> Bool) {
        precondition(Self.areJobsHooked, "this runtime lets nobody decide where tasks run")
        system.run {
            Self.reference.with(self) {
                start()
                while !isDone(), runJob() || time.runNext() {}
            }
        }
    }

    fileprivate func add(_ job: UnownedJob, isMain: Bool) {
        let job = Job(job: job, owner: current)
        if isMain { mainJobs.append(job) } else { jobs.append(job) }
    }

    /// Runs one of the jobs that are ready, whichever the seed chooses. Returns whether there was one.
    private func runJob() -> Bool {
        let count = jobs.count + min(mainJobs.count, 1)
        guard count > 0 else { return false }
        let index = count == 1 ? 0 : Int.random(in: 0..<count, using: &random)
        if index < jobs.count {
            let next = jobs.remove(at: index)
            run(as: next.owner) { next.job.runSynchronously(on: Self.noActor) }
        } else {
            let next = mainJobs.removeFirst()
            run(as: next.owner, onMainLoop: true) {
                next.job.runSynchronously(on: Self.mainExecutor.asUnownedSerialExecutor())
            }
        }
        return true
    }
}

/// The executor of the main actor on the threads of simulations.
private final class SimulatedMainExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let loop = EventLoop.current else {
            // Resumed by a thread that no simulation knows: the rest of it runs outside.
            Task.detached { @MainActor in job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
            return
        }
        loop.add(job, isMain: true)
    }
}

/// Runs its actions in the time of a simulation, as code of one process: they are dropped once that has ended.
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
        return loop.time.schedule(after: delay) { [loop, isMainLoop] in
            guard incarnation?.isAlive ?? !loop.isEnding else { return }
            loop.run(as: incarnation, onMainLoop: isMainLoop, action)
        }
    }
}
