// The type of the elements is unknown.
// error: generic parameter 'Element' could not be inferred
import Streams

private func example() {
    #if MISTAKE
        _ = Observable.error(StreamError.noElements)
    #else
        _ = Observable<Int>.error(StreamError.noElements)
    #endif
}
