import Foundation

/// Whether something comes true that the system tells only if it is asked: the state of a process, how much is inside a pipe.
///
/// The thread sleeps for a millisecond before it asks again: otherwise it would take the processor from those that it waits for. False
/// after ten minutes.
public func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(600)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(1_000)
    }
    return true
}
