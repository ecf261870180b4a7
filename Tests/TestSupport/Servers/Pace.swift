/// Returns whether an attempt succeeds at some pace, given as a duration on which it builds: first 50 ms, and twice as long at each further
/// attempt. Use it for events within a limit: a machine that is too slow for milliseconds is fast enough for seconds, and wrong behavior is
/// wrong at each pace.
public func succeedsAtSomePace(_ attempt: (_ unit: Duration) throws -> Bool) rethrows -> Bool {
    for doublings in 0..<10 where try attempt(.milliseconds(50 << doublings)) { return true }
    return false
}
