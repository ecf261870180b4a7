import Streams

/// What can be killed and started again.
protocol Killable: AnyObject {
    var name: String { get }
    func kill(restartAfter: Duration?)
}

/// One run of a process, from its start to its end. What it does after its end has no effect: its calls are not heard by the world.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class Incarnation: @unchecked Sendable {
    let process: String
    /// Counts the runs of the process, from 1.
    let number: Int
    private(set) var isAlive = true
    private var onEnd: [@Sendable () -> Void] = []

    init(process: String, number: Int) {
        (self.process, self.number) = (process, number)
    }

    /// Calls `action` when the run ends, however it does.
    func whenItEnds(_ action: @escaping @Sendable () -> Void) {
        if isAlive { onEnd.append(action) } else { action() }
    }

    func end() {
        guard isAlive else { return }
        isAlive = false
        let actions = onEnd
        onEnd = []
        for action in actions { action() }
    }
}
