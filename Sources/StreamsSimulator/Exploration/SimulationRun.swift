import Schedulers
import Streams
import StreamsInspector

typealias SimulationBody = @Sendable (SimulatedWorld) async throws -> Void

/// One run of a simulation: a seed, and the faults that may occur in it.
struct SimulationRun: Sendable {
    /// How long a body may take after its last `run(for:)`.
    private static let patience = Duration.seconds(3_600)
    /// How many actions may follow the end.
    private static let maximumRest = 1_000_000

    let seed: Int
    /// The numbers of the faults that occur; `nil` for all.
    var faults: Set<Int>?
    var keepsLines = false
    let body: SimulationBody

    struct Result: Sendable {
        enum Failure: Sendable, Equatable {
            /// An expectation was violated.
            case violated(String, reason: String)
            /// The body threw.
            case threw(String)
            /// Something was called on another thread.
            case escaped(String)
            /// The body waits for something that the simulation does not do.
            case stuck
        }

        let seed: Int
        let failure: Failure?
        /// When it ended.
        let end: Duration
        let hash: UInt64
        let lines: [Trace.Line]
        let faults: [(number: Int, fault: SimulatedFault, description: String)]
        let checks: [(name: String, count: Int)]
    }

    /// Where the body of a run ends.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation, unless the body escaped from it, which fails the run.
    private final class Ending: @unchecked Sendable {
        var isOver = false
        var error: (any Error)?
    }

    /// Runs it on this thread.
    /// Performs it, and counts in `scope` what its operators do.
    func perform(countingIn scope: InspectorScope?) -> Result {
        scope?.inspecting(perform) ?? perform()
    }

    func perform() -> Result {
        let trace = Trace(keepsLines: keepsLines)
        let world = SimulatedWorld(seed: UInt64(bitPattern: Int64(seed)), includedFaults: faults, trace: trace)
        let ending = Ending()
        let system = world.system
        world.loop.run(as: system) {
            Task { [body] in
                do { try await body(world) } catch { ending.error = error }
                ending.isOver = true
            }
        } until: {
            ending.isOver || world.now > world.runsUntil + Self.patience
        }
        let result = Result(
            seed: seed, failure: failure(world, ending), end: world.now, hash: trace.hash, lines: trace.lines,
            faults: world.injectedFaults, checks: world.expectations.checks)
        var rest = 0
        world.loop.run(as: system) {
            world.end()
        } until: {
            rest += 1
            return rest > Self.maximumRest
        }
        world.release()
        return result
    }

    private func failure(_ world: SimulatedWorld, _ ending: Ending) -> Result.Failure? {
        if let call = world.loop.escapedCall { return .escaped(call) }
        if let violation = world.expectations.violation { return .violated(violation.expectation, reason: violation.reason) }
        if let error = ending.error, !(error is SimulationEnded) { return .threw("\(error)") }
        return ending.isOver ? nil : .stuck
    }
}

extension SimulatedWorld {
    /// What the schedulers of the system are replaced by.
    fileprivate var system: SimulatedSystem {
        let loop = loop
        return SimulatedSystem(
            scheduler: LoopScheduler(loop: loop, owner: .current), mainLoop: LoopScheduler(loop: loop, owner: .current, isMainLoop: true),
            isOnMainLoop: { loop.isOnMainLoop },
            date: { [unowned self] in
                let process = loop.current.flatMap { current in processes.first { $0.name == current.process } }
                return SimulatedWallClock.start + (process?.clockTime ?? now) / .seconds(1)
            },
            random: { loop.random.next() },
            network: { [network] in ProcessNetwork(network: network, owner: loop.current) })
    }
}
