import Dispatch
import Schedulers
import Streams
import StreamsInspector

typealias SimulationBody = @Sendable (Simulation.World) async throws -> Void

/// One run of a simulation: a seed, and the faults that may occur in it.
struct SimulationRun: Sendable {
    /// The time that a body may take after its last `run(for:)`.
    private static let patience = Duration.seconds(3_600)
    /// The number of actions that may follow the end.
    private static let maximumRest = 200_000

    let seed: Int
    /// The numbers of the faults that occur; `nil` for all.
    var faults: Set<Int>?
    var keepsLines = false
    /// The time that one step may take, in real time.
    var stepLimit = Duration.seconds(10)
    let body: SimulationBody

    struct Result: Sendable {
        enum Failure: Sendable, Equatable {
            /// An expectation was violated.
            case violated(String, reason: String)
            /// The body threw.
            case threw(String)
            /// Code ran on another thread than that of the simulation.
            case escaped(String)
            /// The body, or a process, waits for an event that the simulation does not produce.
            case stuck(String)
            /// No time passes, because of steps without end, or one such step.
            case still(String, steps: String)
        }

        /// A fault that has occurred.
        struct Fault: Sendable {
            let number: Int
            let fault: Simulation.Fault
            let description: String
            let tookEffect: Bool
        }

        let seed: Int
        let failure: Failure?
        /// The time at which the run ended; zero for a run whose thread was abandoned.
        let end: Duration
        let hash: UInt64
        let lines: [Trace.Line]
        let faults: [Fault]
        let checks: [(name: String, count: Int)]
    }

    /// The place where the body of a run ends.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation, unless the body escaped from it, which fails the run.
    private final class Ending: @unchecked Sendable {
        var isOver = false
        var error: (any Error)?
        var task: Task<Void, Never>?
    }

    /// Performs the run on a thread of its own, and counts in `scope` the events of its operators. Returns even if one of its steps never
    /// ends.
    func simulate(countingIn scope: InspectorScope? = nil) -> Result {
        let progress = SimulationProgress()
        let result = Lock<Result?>(nil)
        let hasEnded = DispatchSemaphore(value: 0)
        Exploration.startThread {
            let performed = scope?.inspecting { simulate(progress) } ?? simulate(progress)
            result.withLock { $0 = performed }
            hasEnded.signal()
        }
        while true {
            let steps = progress.steps
            guard hasEnded.wait(timeout: .now() + .nanoseconds(Int(stepLimit.nanoseconds))) == .timedOut else { break }
            guard progress.steps == steps else { continue }
            guard !progress.isInterrupted else { return blocked(progress) }
            progress.interrupt()
        }
        return result.withLock { $0 } ?? blocked(progress)
    }

    /// Returns the result of a run whose thread cannot be stopped; the thread is abandoned.
    private func blocked(_ progress: SimulationProgress) -> Result {
        Result(seed: seed, failure: stillFailure(of: progress.running), end: .zero, hash: 0, lines: [], faults: [], checks: [])
    }

    /// Returns the failure of a step that has taken too long.
    private func stillFailure(of process: Incarnation?) -> Result.Failure {
        .still(EventLoop.description(of: process), steps: "one step takes longer than \(stepLimit.displayText)")
    }

    /// Performs the run, and finds the operator that does the most in it.
    func busiest() -> Shrinking.Outcome {
        let scope = InspectorScope.countingLines()
        let result = simulate(countingIn: scope)
        let services = scope.lines.filter { !$0.place.description.hasPrefix("StreamsSimulator/") }
        return Shrinking.Outcome(result, busiest: services.max { $0.work < $1.work }.map { "`\($0.operatorName)` (\($0.place))" })
    }

    private func simulate(_ progress: SimulationProgress) -> Result {
        let trace = Trace(keepsLines: keepsLines)
        let world = Simulation.World(
            seed: UInt64(bitPattern: Int64(seed)), includedFaults: faults, trace: trace, progress: progress)
        let ending = Ending()
        let (loop, system) = (world.loop, world.system)
        loop.enter()
        loop.run(as: system) {
            ending.task = Task { [body] in
                do { try await body(world) } catch { ending.error = error }
                ending.isOver = true
            }
        } until: {
            ending.isOver || loop.hasFailed || world.now > world.runsUntil + Self.patience
        }
        let result = Result(
            seed: seed, failure: failure(world, ending, progress), end: world.now, hash: trace.hash, lines: trace.lines,
            faults: world.injectedFaults.map {
                Result.Fault(number: $0.number, fault: $0.fault, description: $0.description, tookEffect: $0.tookEffect)
            },
            checks: world.expectations.checks)
        finish(world) {
            world.end()
            ending.task?.cancel()
        }
        loop.leave()
        finish(world) {}
        world.release()
        return result
    }

    private func finish(_ world: Simulation.World, _ end: () -> Void) {
        var rest = 0
        world.loop.run(as: world.system, start: end) {
            rest += 1
            return rest > Self.maximumRest
        }
    }

    private func failure(_ world: Simulation.World, _ ending: Ending, _ progress: SimulationProgress) -> Result.Failure? {
        if let sentence = world.loop.escape { return .escaped(sentence) }
        if world.loop.standstill.isFound {
            return .still(EventLoop.description(of: world.loop.standstill.process), steps: Standstill.steps)
        }
        if progress.isInterrupted { return stillFailure(of: progress.interrupted) }
        if let violation = world.expectations.violation { return .violated(violation.expectation, reason: violation.reason) }
        if let error = ending.error, !(error is SimulationEnded) { return .threw("\(error)") }
        if let idle = world.processes.first(where: \.waitsForNothing) { return .stuck(idle.title) }
        return ending.isOver ? nil : .stuck(EventLoop.description(of: nil))
    }
}

extension Inspector.LineCoverage {
    /// The amount of work that the operators of the line have done.
    fileprivate var work: UInt64 { elements + UInt64(starts + errors) }
}

extension Simulation.World {
    /// The replacements for the schedulers of the system.
    fileprivate var system: SimulatedSystem {
        let loop = loop
        return SimulatedSystem(
            scheduler: LoopScheduler(loop: loop, owner: .current), mainLoop: LoopScheduler(loop: loop, owner: .current, isMainLoop: true),
            isOnMainLoop: { loop.isOnMainLoop },
            date: { [unowned self] in
                let process = loop.current.flatMap { current in processes.first { $0.name == current.process } }
                return SimulatedWallClock.start + (process?.readClock() ?? now) / .seconds(1)
            },
            random: { loop.random.next() },
            network: { [network] in ProcessNetwork(network: network, owner: loop.current) })
    }
}
