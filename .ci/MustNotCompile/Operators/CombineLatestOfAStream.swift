// combineLatest is called on a stream.
// error: static member 'combineLatest' cannot be used on instance of type 'Observable<Int>'
import Streams

private func example(_ a: Observable<Int>, _ b: Observable<Int>) {
    #if MISTAKE
        _ = a.combineLatest(b)
    #else
        _ = Observable.combineLatest(a, b)
    #endif
}
