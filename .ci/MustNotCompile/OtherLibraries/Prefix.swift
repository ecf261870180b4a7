// Combine: prefix
// error: 'prefix' has been renamed to 'take(_:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.prefix(3)
    #else
        _ = numbers.take(3)
    #endif
}
