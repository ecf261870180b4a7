import Foundation

/// Counts the requests that a server has received.
///
/// Sound: the count is accessed only under the lock of the condition (law 3).
final class RequestCount: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0

    func add() {
        condition.withLock { count += 1 }
        condition.broadcast()
    }

    /// Waits until there were so many more, or none for a minute.
    func wait(forFurther more: Int) {
        condition.withLock {
            let end = count + more
            while count < end, condition.wait(until: Date(timeIntervalSinceNow: 60)) {}
        }
    }
}
