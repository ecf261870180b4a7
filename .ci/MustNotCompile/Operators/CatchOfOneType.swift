// catch is given a handler of one type of errors.
// error: 'catch' is unavailable: a stream may fail with any error: use catch(as:_:) for errors of one type
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.catch { (error: StreamError) in .just(0) }
    #else
        _ = numbers.catch(as: StreamError.self) { error in .just(0) }
    #endif
}
