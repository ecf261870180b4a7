// Combine: collect(_:)
// error: 'collect' has been renamed to 'buffer(count:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.collect(3)
    #else
        _ = numbers.buffer(count: 3)
    #endif
}
