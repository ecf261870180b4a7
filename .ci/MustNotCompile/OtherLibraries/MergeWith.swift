// Combine: merge(with:)
// error: 'merge(with:)' is unavailable: use Observable.merge(a, b)
import Streams

private func example(_ numbers: Observable<Int>, _ others: Observable<Int>) {
    #if MISTAKE
        _ = numbers.merge(with: others)
    #else
        _ = Observable.merge(numbers, others)
    #endif
}
