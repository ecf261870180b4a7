/// A place in the order of all events: a time, and the order among events of the same time.
///
/// Virtual time runs the actions of one time in the order in which they were scheduled. So the moment of an action is its time, followed by
/// the moment at which it was scheduled. Events inside an action are numbered in the order of the calls, a nested call below its caller.
/// Moments are compared from the front, and the shorter one comes first: a cause comes before its effects.
public struct Moment: Comparable {
    /// Closes the moment at which an action was scheduled. It is below every number, so that earlier causes come first.
    private static let end = -1
    /// Marks the events of hot sources, which are scheduled before anybody subscribes.
    private static let beforeAll = -2

    private let key: [Int]

    private init(_ key: [Int]) {
        self.key = key
    }

    /// Returns the moment of the subscription by the test.
    public static func subscription(at time: Int) -> Moment {
        Moment([time, end])
    }

    /// Returns the moment of the action in which a hot source sends an event.
    public static func hot(source: Int, index: Int, at time: Int) -> Moment {
        Moment([time, beforeAll, source, index, end])
    }

    public var time: Int { key[0] }

    /// Returns the moment of the `step`th call at this moment.
    public func then(_ step: Int) -> Moment {
        Moment(key + CollectionOfOne(step))
    }

    /// Returns the moment of an action that is scheduled now.
    public func scheduling(at time: Int) -> Moment {
        var later: [Int] = []
        later.reserveCapacity(key.count + 2)
        later.append(time)
        later += key
        later.append(Self.end)
        return Moment(later)
    }

    /// Returns the moment of the delivery of this event to one of several subscribers, which receive it in the order of their
    /// subscriptions.
    public func delivered(toSubscriptionAt subscription: Moment) -> Moment {
        Moment(key + subscription.key + CollectionOfOne(Self.end))
    }

    /// Returns whether this moment is part of the effects that `cause` has before it returns.
    public func isInside(_ cause: Moment) -> Bool {
        key.starts(with: cause.key)
    }

    public static func < (left: Moment, right: Moment) -> Bool {
        left.key.withUnsafeBufferPointer { left in
            right.key.withUnsafeBufferPointer { right in
                let common = min(left.count, right.count)
                for index in 0..<common where left[index] != right[index] { return left[index] < right[index] }
                return left.count < right.count
            }
        }
    }
}
