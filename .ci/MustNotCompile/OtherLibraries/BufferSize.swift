// Combine: buffer(size:prefetch:whenFull:)
// error: 'buffer(size:prefetch:whenFull:)' is unavailable: use observe(on:overflow:), or values(overflow:)
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
    #else
        _ = numbers.values(overflow: .dropOldest(capacity: 10))
    #endif
}
