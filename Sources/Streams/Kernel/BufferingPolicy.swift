/// How many elements are buffered between a fast producer and a slow consumer, and what happens to further ones.
///
/// A capacity below 1 is treated as 1.
public enum BufferingPolicy: Sendable, Equatable {
    /// Every element is buffered: memory grows with the distance between the two.
    case unbounded
    /// At most `capacity` elements are buffered; one more drops the oldest of them.
    case dropOldest(capacity: Int)
    /// At most `capacity` elements are buffered; one more is dropped.
    case dropNewest(capacity: Int)
    /// At most `capacity` elements are buffered; one more disposes upstream and fails the stream with ``StreamError/overflow(capacity:)``
    /// after them.
    case fail(capacity: Int)

    /// Only the latest element is buffered.
    public static let latest = BufferingPolicy.dropOldest(capacity: 1)
}

extension BufferingPolicy {
    /// The maximum number of elements.
    @inlinable package var capacity: Int {
        switch self {
        case .unbounded: .max
        case .dropOldest(let capacity), .dropNewest(let capacity), .fail(let capacity): max(1, capacity)
        }
    }
}
