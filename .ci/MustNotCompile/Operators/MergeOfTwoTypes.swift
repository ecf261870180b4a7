// Streams of two types are merged.
// error: cannot convert value of type 'Observable<String>' to expected argument type 'Observable<Int>'
import Streams

private func example(_ a: Observable<Int>, _ b: Observable<String>) {
    #if MISTAKE
        _ = Observable.merge(a, b)
    #else
        _ = Observable.merge(a.map { number in "\(number)" }, b)
    #endif
}
