// Combine: Publishers
// error: 'Publishers' is unavailable: operators are functions of Observable, such as Observable.merge(a, b) and Observable.zip(a, b)
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = Publishers.Merge(numbers, numbers)
    #else
        _ = Observable.merge(numbers, numbers)
    #endif
}
