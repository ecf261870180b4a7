import Foundation

/// The least CPU time that this process uses in one of several spans of so many seconds, which end with the first below `limit`: what is
/// left to do of what was before is not in each of them, what runs while it waits is.
func leastProcessTime(below limit: Duration, inSeconds span: TimeInterval) -> Duration {
    quickest(below: limit) {
        let before = processTime()
        _ = Slot<Bool>().wait(span)
        return processTime() - before
    }
}

/// The CPU time of this process so far.
func processTime() -> Duration {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}
