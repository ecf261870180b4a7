/// Whether an attempt succeeds at some pace, given as a duration that it builds on: 50 ms first, and twice as long at each further attempt. For
/// what happens within a limit: a machine that is too slow for milliseconds is not for seconds, and what is wrong is wrong at each pace.
public func succeedsAtSomePace(_ attempt: (_ unit: Duration) throws -> Bool) rethrows -> Bool {
    for doublings in 0..<10 where try attempt(.milliseconds(50 << doublings)) { return true }
    return false
}
