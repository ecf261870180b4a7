/// Ten mistakes that the shop can make, to see how the simulation finds them.
public enum Mistake: String, CaseIterable, Sendable {
    /// Repeats a failed order at once, as often as it takes.
    case retryWithoutLimit
    /// Repeats an order without a key by which the server knows it again.
    case lostAcknowledgement
    /// Writes down that an order was placed, and then places it.
    case writtenBeforeConfirmed
    /// Each request that is rejected fetches a token of its own.
    case refreshStorm
    /// Caches prices by path, and not by user.
    case otherUsersAnswer
    /// Subscribes to the ticks anew at each start, in a bag that nothing empties.
    case leakAtRestart
    /// Places the orders of one list at the same time.
    case overtakingFlatMap
    /// A session ends, and its heartbeat does not.
    case survivingTimer
    /// Shows pairs of two streams, one of which ends with its first error.
    case deadlockByZip
    /// Keeps every tick for a disk that may be slow.
    case unboundedBuffer
}
