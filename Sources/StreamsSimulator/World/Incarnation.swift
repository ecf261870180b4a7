import Streams

/// A part of the world that can be killed and started again.
protocol Killable: AnyObject {
    var name: String { get }
    var isRunning: Bool { get }
    func kill(restartAfter: Duration?)
}

/// One run of a process, from its start to its end. After its end it has no effect: the world ignores its calls.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class Incarnation: @unchecked Sendable {
    /// A part of the world that will run code of a process: a timer, a connection, a stream.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    final class Wakeup: @unchecked Sendable {
        let owner: Incarnation
        private var hasEnded = false

        fileprivate init(_ owner: Incarnation) {
            self.owner = owner
            owner.wakeups += 1
        }

        func end() {
            guard !hasEnded else { return }
            hasEnded = true
            owner.wakeups -= 1
        }
    }

    let process: String
    /// The line that added the process.
    let place: String
    /// The number of this run of the process, counted from 1.
    let number: Int
    /// The lifetime of its work.
    let lifetime = Gate()
    private(set) var isAlive = true
    private var onEnd: [@Sendable () -> Void] = []
    /// The number of wake-ups that will run its code. Without any, it waits for something that is not in the world.
    fileprivate(set) var wakeups = 0

    init(process: String, place: String, number: Int) {
        (self.process, self.place, self.number) = (process, place, number)
    }

    func expectWakeup() -> Wakeup { Wakeup(self) }

    /// Calls `action` when the run ends, in any way.
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
