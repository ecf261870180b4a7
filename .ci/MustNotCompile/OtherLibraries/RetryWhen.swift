// RxSwift 5: retryWhen
// error: 'retryWhen' has been renamed to 'retry(when:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.retryWhen { errors in errors.take(3) }
    #else
        _ = numbers.retry(when: { errors in errors.take(3) })
    #endif
}
