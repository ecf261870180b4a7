import Schedulers
import Synchronization

/// The progress of a simulation, as other threads see it: whether it continues, and whose code is running.
final class SimulationProgress: Sendable {
    private let counter = Atomic(0)
    private let owner = Lock<Incarnation?>(nil)
    private let interruption = Lock<Interruption?>(nil)

    private struct Interruption {
        let process: Incarnation?
    }

    /// The number of steps that the simulation has done.
    var steps: Int { counter.load(ordering: .relaxed) }

    /// The process whose code is running; `nil` for the world's own code.
    var running: Incarnation? { owner.withLock { $0 } }

    /// Whether one step has taken too long, and its process was disposed.
    var isInterrupted: Bool { interruption.withLock { $0 != nil } }

    /// The process that was disposed.
    var interrupted: Incarnation? { interruption.withLock { $0?.process } }

    func didStep() { counter.add(1, ordering: .relaxed) }

    func setRunning(_ process: Incarnation?) { owner.withLock { $0 = process } }

    /// Disposes the process whose code is running. This ends a stream that begins again without end, in one step.
    func interrupt() {
        let process = running
        interruption.withLock { $0 = Interruption(process: process) }
        process?.lifetime.dispose()
    }
}

/// Finds a simulation that does more and more while no time passes: a timer without a period, a retry or a restart without a delay.
struct Standstill {
    /// The maximum number of steps in a millisecond.
    private static let limit = 100_000
    static let steps = "\(limit) steps in a millisecond"
    /// The number of the last steps whose processes are counted.
    private static let examined = 1_000

    private var millisecond = Duration.zero
    private var steps = 0
    private var last: Incarnation?
    private var counts: [String: (owner: Incarnation?, steps: Int)] = [:]
    /// Whether a millisecond had too many steps, of which most of the last ones belonged to this process, or to the world.
    private(set) var isFound = false
    private(set) var process: Incarnation?

    mutating func beginStep() { last = nil }

    mutating func didRun(_ process: Incarnation) { last = process }

    mutating func endStep(at now: Duration) {
        steps += 1
        guard now - millisecond < .milliseconds(1) else {
            (millisecond, steps, counts) = (now, 1, [:])
            return
        }
        guard steps > Self.limit - Self.examined, !isFound else { return }
        counts[last?.process ?? "", default: (last, 0)].steps += 1
        guard steps >= Self.limit else { return }
        isFound = true
        process = counts.values.max { $0.steps < $1.steps }?.owner
    }
}
