// RxSwift 5: catchError
// error: 'catchError' has been renamed to 'catch(_:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.catchError { _ in .just(0) }
    #else
        _ = numbers.catch { _ in .just(0) }
    #endif
}
