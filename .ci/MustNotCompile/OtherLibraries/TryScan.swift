// Combine: tryScan
// error: 'tryScan' is unavailable: use scan(_:accumulator:), whose closure may throw
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.tryScan(0) { $0 + $1 }
    #else
        _ = numbers.scan(0) { $0 + $1 }
    #endif
}
