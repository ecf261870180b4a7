/// The number of elements that are buffered between a fast producer and a slow consumer, and the treatment of further elements.
///
/// A capacity below 1 is treated as 1.
public enum BufferingPolicy: Sendable, Equatable {
    /// Every element is buffered: the memory grows with the distance between producer and consumer.
    case unbounded
    /// While `capacity` elements are buffered, the source is suspended until they have been taken. A source that cannot be suspended, such
    /// as a subject, is buffered without a bound. See "Backpressure".
    case suspend(capacity: Int)
    /// At most `capacity` elements are buffered; a further element drops the oldest of them.
    case dropOldest(capacity: Int)
    /// At most `capacity` elements are buffered; a further element is dropped.
    case dropNewest(capacity: Int)
    /// At most `capacity` elements are buffered; a further element disposes upstream, and fails the stream with
    /// ``StreamError/overflow(capacity:)`` after the buffered ones.
    case fail(capacity: Int)

    /// Only the latest element is buffered.
    public static let latest = BufferingPolicy.dropOldest(capacity: 1)
}

/// The limits of the buffers of operators. Those of bytes, of the network and of messages are the business of their modules.
extension BufferingPolicy {
    /// The default between a stream and what consumes it at a pace of its own, such as a task or an actor: 256 elements, and then the source
    /// is suspended.
    @inlinable public static var standard: BufferingPolicy { .suspend(capacity: 256) }

    /// The default of operators that limit how many inner streams are active: 16 elements wait for their turn, and then the source is
    /// suspended.
    @inlinable public static var waitingForTurn: BufferingPolicy { .suspend(capacity: 16) }

    /// The number of elements of one stream that wait for those of another, or for the stream's turn, until it is suspended.
    @inlinable static var aheadCapacity: Int { 128 }

    /// The number of inputs that wait because another thread emits, until their streams are suspended.
    @inlinable static var backlogCapacity: Int { 32 }
}

extension BufferingPolicy {
    /// The maximum number of elements.
    @inlinable package var capacity: Int {
        switch self {
        case .unbounded, .suspend: .max
        case .dropOldest(let capacity), .dropNewest(let capacity), .fail(let capacity): max(1, capacity)
        }
    }

    /// The number of elements at which the policy begins to have an effect; `Int.max` if it never does.
    @inlinable var bound: Int { min(capacity, suspensionCapacity) }

    /// The number of buffered elements at which the source is suspended.
    @inlinable package var suspensionCapacity: Int {
        guard case .suspend(let capacity) = self else { return .max }
        return max(1, capacity)
    }
}
