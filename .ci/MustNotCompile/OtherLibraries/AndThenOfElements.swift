// RxJava: ignoreElements().andThen(_:)
// error: 'andThen' is unavailable: a completable is followed: write ignoreElements().asCompletable().andThen(_:)
import Streams

private func example(_ numbers: Observable<Int>, _ names: Observable<String>) {
    #if MISTAKE
        _ = numbers.ignoreElements().andThen(names)
    #else
        _ = numbers.ignoreElements().asCompletable().andThen(names)
    #endif
}
