// The stream that follows is written as a member of Observable.
// error: static member 'concat' cannot be used on instance of type 'Observable<Int>'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.concat(.error(StreamError.noElements))
    #else
        _ = numbers.concat(Observable.error(StreamError.noElements))
    #endif
}
