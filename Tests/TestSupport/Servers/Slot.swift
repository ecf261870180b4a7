import Foundation

/// Something that one thread fills in and another waits for.
public final class Slot<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var stored: Value?

    public init() {}

    /// The first value stays.
    public func fill(_ value: Value) {
        condition.withLock {
            stored = stored ?? value
            condition.broadcast()
        }
    }

    /// The value, or nil if it did not come in time.
    public func wait(_ limit: TimeInterval = 300) -> Value? {
        condition.withLock {
            let deadline = Date(timeIntervalSinceNow: limit)
            while stored == nil, condition.wait(until: deadline) {}
            return stored
        }
    }
}
