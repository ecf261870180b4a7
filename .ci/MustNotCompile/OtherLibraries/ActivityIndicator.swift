// RxSwift: ActivityIndicator
// error: 'ActivityIndicator' has been renamed to 'LoadIndicator'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.trackActivity(ActivityIndicator())
    #else
        _ = numbers.trackActivity(LoadIndicator())
    #endif
}
