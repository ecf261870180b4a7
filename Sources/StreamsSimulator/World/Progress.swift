import Schedulers
import Synchronization

/// What other threads see of a simulation: whether it goes on, and whose code is running.
final class Progress: Sendable {
    private let counter = Atomic(0)
    private let owner = Lock<Incarnation?>(nil)
    private let interruption = Lock<Interruption?>(nil)

    private struct Interruption {
        let process: Incarnation?
    }

    /// How many steps it has done.
    var steps: Int { counter.load(ordering: .relaxed) }

    /// The process whose code is running; `nil` for the world's.
    var running: Incarnation? { owner.withLock { $0 } }

    /// Whether one step has taken too long, and its process was disposed.
    var isInterrupted: Bool { interruption.withLock { $0 != nil } }

    /// The process that was disposed.
    var interrupted: Incarnation? { interruption.withLock { $0?.process } }

    func didStep() { counter.add(1, ordering: .relaxed) }

    func isRunning(_ process: Incarnation?) { owner.withLock { $0 = process } }

    /// Disposes the process whose code is running: a stream that begins anew without end, in one step, ends by that.
    func interrupt() {
        let process = running
        interruption.withLock { $0 = Interruption(process: process) }
        process?.lifetime.dispose()
    }
}
