import Foundation

/// Returns whether a condition becomes true that the system reports only on request: the state of a process, the amount of data in a pipe.
///
/// The thread sleeps for a millisecond before it asks again: otherwise it would take the processor from those for which it waits. Returns
/// `false` after ten minutes.
public func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(600)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(1_000)
    }
    return true
}
