/// The shortest of several runs of `attempt`, which ends with the first below `limit`: what a busy machine adds says nothing of the
/// package, and no run is quicker than the package is.
func quickest(below limit: Duration, _ attempt: () throws -> Duration) rethrows -> Duration {
    var shortest = try attempt()
    for _ in 1..<50 where shortest >= limit { shortest = min(shortest, try attempt()) }
    return shortest
}

/// Whether one of several attempts succeeds: a busy machine may stop a thread for longer than a limit that the package must be within.
func succeedsOnce(_ attempt: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<20 where try attempt() { return true }
    return false
}

/// How long `body` takes.
func duration(of body: () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    try body()
    return ContinuousClock.now - start
}
