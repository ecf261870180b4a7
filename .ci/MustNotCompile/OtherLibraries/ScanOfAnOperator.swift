// Combine: scan(_:_:)
// error: 'scan' is unavailable: name the function, scan(0, accumulator: +), or write a closure, scan(0) { $0 + $1 }
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.scan(0, +)
    #else
        _ = numbers.scan(0, accumulator: +)
    #endif
}
