import Foundation

/// A value that one thread fills in, and for which another waits.
public final class Slot<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var stored: Value?

    public init() {}

    /// Sets the value; the first one stays.
    public func fill(_ value: Value) {
        condition.withLock {
            stored = stored ?? value
            condition.broadcast()
        }
    }

    /// Waits for the value; returns `nil` if it does not come in time.
    public func wait(_ limit: TimeInterval = 300) -> Value? {
        condition.withLock {
            let deadline = Date(timeIntervalSinceNow: limit)
            while stored == nil, condition.wait(until: deadline) {}
            return stored
        }
    }
}
