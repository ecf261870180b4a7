import Dispatch
import Foundation
import Schedulers
import Streams
import StreamsInspector
import Synchronization

/// Runs services in a simulated world, in virtual time, for many seeds. Each seed decides which faults occur, and when.
///
/// ```swift
/// try await Simulation.explore(seeds: 0..<10_000) { world in
///     let prices = world.server("prices", routes: Market.routes)
///     let orders = world.stream("orders", of: Order.ID.self)
///     world.process("shop") { environment in
///         try await Shop(prices.baseURL, environment.transport, environment.scheduler, orders.asObserver()).run()
///     }
///     world.faults = .all(rate: .perMinute(2))
///     world.always("no order twice", orders.areDistinct())
///     try await world.run(for: .seconds(600))
/// }
/// ```
public enum Simulation {
    /// Runs `body` for each seed, on several threads, until an expectation is violated.
    ///
    /// The same seed gives the same run, on any machine and under any load. A body begins in an empty world, declares the contents of the
    /// world, and lets time pass by ``Simulation/World/run(for:)``. Everything that it calls runs on one thread. Code that leaves this
    /// thread, such as code on a thread of its own, is found when it uses the world again, or because two runs of one seed differ.
    ///
    /// - Parameters:
    ///   - seeds: the seeds.
    ///   - workers: the number of threads that run them; by default one for each processor.
    ///   - countsOperators: whether the report counts the events of each line's operators in the first twenty runs, which then take several
    ///     times as long, like everything else in the process; see ``Simulation/Report/operators``.
    ///   - fileID: the file of the call, for the line that repeats a failure.
    ///   - line: the line of the call.
    ///   - body: the simulation.
    /// - Returns: a report on all runs.
    /// - Throws: ``Simulation/Failure`` with the lowest seed that failed, and the fewest faults with which it still fails;
    ///   `CancellationError` if the task is cancelled.
    @discardableResult
    public static func explore(
        seeds: Range<Int>, workers: Int = ProcessInfo.processInfo.activeProcessorCount, countsOperators: Bool = false,
        fileID: String = #fileID, line: Int = #line, _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws -> Report {
        let exploration = Exploration(seeds, countsOperators: countsOperators, body)
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exploration.start(max(workers, 1)) { continuation.resume() }
            }
            return await exploration.failure(at: "\(fileID):\(line)")
        } onCancel: {
            exploration.stop()
        }
        try Task.checkCancellation()
        if let failure { throw failure }
        return exploration.report
    }

    /// Runs `body` once and returns its events as text. Use it to repeat and inspect a failure.
    ///
    /// - Parameters:
    ///   - seed: the seed.
    ///   - faults: the numbers of the faults that occur, as in the description of a failure; `nil` for all.
    ///   - fileID: the file of the call.
    ///   - line: the line of the call.
    ///   - body: the simulation.
    /// - Returns: the events of the run, one on each line.
    /// - Throws: ``Simulation/Failure``.
    @discardableResult
    public static func replay(
        seed: Int, faults: [Int]? = nil, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws -> [String] {
        let run = SimulationRun(seed: seed, faults: faults.map(Set.init), keepsLines: true, body: body)
        let (first, second) = await onThread { (run.simulate(), run.simulate()) }
        guard first.failure == nil, first.hash == second.hash else {
            throw Failure(Shrinking.Outcome(first, second), original: first, place: "\(fileID):\(line)")
        }
        return first.lines.map(\.text)
    }

    /// Runs `work` on a thread that nothing else uses.
    fileprivate static func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Exploration.startThread { continuation.resume(returning: work()) }
        }
    }
}

/// The runs of many seeds on several threads.
final class Exploration: Sendable {
    private struct State: Sendable {
        var next: Int
        var report = Simulation.Report()
        var failed: SimulationRun.Result?
        var running = 0
    }

    private let seeds: Range<Int>
    private let body: SimulationBody
    private let state: Lock<State>
    private let isStopped = Atomic(false)
    /// Counts the events of the operators in the first runs: a counted run takes several times as long as another.
    private let scope = InspectorScope.countingLines()
    private let observed: Range<Int>

    init(_ seeds: Range<Int>, countsOperators: Bool, _ body: @escaping SimulationBody) {
        (self.seeds, self.body) = (seeds, body)
        state = Lock(State(next: seeds.lowerBound))
        observed = countsOperators && Inspector.isAvailable ? seeds.prefix(Self.observedRuns) : 0..<0
    }

    private static let observedRuns = 20

    var report: Simulation.Report {
        var report = state.withLock { $0.report }
        report.add(scope.lines, of: observed.count)
        return report
    }

    /// The failure with the lowest seed, with as few faults as possible.
    func failure(at place: String) async -> Simulation.Failure? {
        guard let failed = state.withLock({ $0.failed }) else { return nil }
        let shrinking = Shrinking(failed, isCancelled: { [self] in isStopped.load(ordering: .relaxed) }, body)
        return await Simulation.onThread { Simulation.Failure(shrinking.smallest(), original: failed, place: place) }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func start(_ workers: Int, _ completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.running = workers }
        for _ in 0..<workers {
            Self.startThread { [self] in
                work()
                let isLast = state.withLock { state in
                    state.running -= 1
                    return state.running == 0
                }
                if isLast { completion() }
            }
        }
    }

    /// Runs `body` on a new thread, or on one of Dispatch's if the system has none left.
    static func startThread(_ body: @escaping @Sendable () -> Void) {
        let body = Resources.bindingCounter(body)
        if SystemThread.start(named: "Simulation", body) != 0 { DispatchQueue.global().async(execute: body) }
    }

    private func work() {
        while !isStopped.load(ordering: .relaxed), let seed = takeSeed() {
            let result = SimulationRun(seed: seed, body: body).simulate(countingIn: observed.contains(seed) ? scope : nil)
            state.withLock { state in
                state.report.add(result)
                if result.failure != nil, result.seed < state.failed?.seed ?? .max { state.failed = result }
            }
        }
    }

    /// Returns the next seed, as long as it may be the lowest that fails.
    private func takeSeed() -> Int? {
        state.withLock { state in
            guard state.next < seeds.upperBound, state.next < state.failed?.seed ?? .max else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
