// The delay of a retry has no scheduler.
// error: missing argument for parameter 'scheduler' in call
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.retry(when: { errors in errors.delay(.seconds(2)) })
    #else
        _ = numbers.retry(when: { errors in errors.delay(.seconds(2), scheduler: MainScheduler.instance) })
    #endif
}
