// A policy has no maximum of attempts.
// error: missing argument for parameter 'maxAttempts' in call
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.retry(.exponential(initial: .seconds(1)))
    #else
        _ = numbers.retry(.exponential(initial: .seconds(1), maxAttempts: 5))
    #endif
}
