// catch returns a value.
// error: cannot convert value of type 'Int' to closure result type 'Observable<Int>'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.catch { _ in 0 }
    #else
        _ = numbers.catchAndReturn(0)
    #endif
}
