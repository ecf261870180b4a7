// Combine: Fail
// error: 'Fail' is unavailable: use Observable.error(_:); errors have no type
import Streams

private func example() {
    #if MISTAKE
        _ = Fail<Int, StreamError>(error: .noElements)
    #else
        _ = Observable<Int>.error(StreamError.noElements)
    #endif
}
