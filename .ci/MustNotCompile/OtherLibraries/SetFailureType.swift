// Combine: setFailureType(to:)
// error: 'setFailureType(to:)' is unavailable: errors have no type: leave it out
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.setFailureType(to: StreamError.self).map { $0 + 1 }
    #else
        _ = numbers.map { $0 + 1 }
    #endif
}
