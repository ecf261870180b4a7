// retry is given a delay.
// error: 'retry(_:delay:scheduler:)' is unavailable: a delay belongs to a policy: retry(.delay(.seconds(1), maxAttempts: 3))
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.retry(3, delay: .seconds(1))
    #else
        _ = numbers.retry(.delay(.seconds(1), maxAttempts: 3))
    #endif
}
