import Schedulers
import Synchronization

/// The progress of a simulation, as other threads see it: whether it continues, and whose code is running.
final class Progress: Sendable {
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

    func isRunning(_ process: Incarnation?) { owner.withLock { $0 = process } }

    /// Disposes the process whose code is running. This ends a stream that begins again without end, in one step.
    func interrupt() {
        let process = running
        interruption.withLock { $0 = Interruption(process: process) }
        process?.lifetime.dispose()
    }
}
