// Combine: combineLatest(_:_:)
// error: 'combineLatest' is unavailable: use Observable.combineLatest(a, b) { ... }, or map on the tuples of combineLatest(_:)
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.combineLatest(numbers) { $0 + $1 }
    #else
        _ = Observable.combineLatest(numbers, numbers) { $0 + $1 }
    #endif
}
