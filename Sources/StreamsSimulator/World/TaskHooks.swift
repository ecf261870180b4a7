import CStreamsSystem

#if os(Linux) && compiler(>=6.3)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// Leads the jobs of Swift's tasks to the simulations to which they belong.
enum TaskHooks {
    private static let mainExecutor = SimulatedMainExecutor()
    static let mainExecutorReference = mainExecutor.asUnownedSerialExecutor()

    /// Whether this runtime lets others decide where tasks run; the first access sets that up.
    static let areSet: Bool = {
        let words = unsafeBitCast(mainExecutorReference, to: (UInt, UInt).self)
        let take: streams_take_job = { job, sleeps in
            guard let job else { return 0 }
            return EventLoop.take(unsafeBitCast(job, to: UnownedJob.self), sleeps: sleeps != 0) ? 1 : 0
        }
        guard streams_hook_jobs(take, { EventLoop.current == nil ? 0 : 1 }, words.0, words.1) != 0 else { return false }
        #if os(Linux) && compiler(>=6.3)
            _createExecutors(factory: SimulatedExecutors.self)
        #endif
        return true
    }()
}

/// The executor of the main actor on the threads of simulations.
private final class SimulatedMainExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard !EventLoop.take(job, isMain: true) else { return }
        // A thread that no simulation knows resumed the job, after its run: the remaining part of it runs outside.
        Task.detached { @MainActor in job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
    }
}

#if os(Linux) && compiler(>=6.3)
    /// The executors of simulated tasks: `Task.yield()` and `Task.sleep` ask the runtime's default executor themselves, without a hook.
    private enum SimulatedExecutors: ExecutorFactory {
        static let system = Task<Never, Never>.defaultExecutor
        private static let simulated = SimulatedDefaultExecutor()

        static var defaultExecutor: any TaskExecutor {
            _ = system
            return simulated
        }

        static var mainExecutor: any MainExecutor { MainActor.executor }
    }

    private final class SimulatedDefaultExecutor: TaskExecutor, SchedulingExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if !EventLoop.take(job) { SimulatedExecutors.system.enqueue(job) }
        }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
            let job = UnownedJob(job)
            guard !EventLoop.take(job, sleeps: true) else { return }
            let system = SimulatedExecutors.system as? any SchedulingExecutor
            system?.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
        }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
            let job = UnownedJob(job)
            guard !EventLoop.take(job, sleeps: true) else { return }
            let system = SimulatedExecutors.system as? any SchedulingExecutor
            system?.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
        }
    }
#endif
