// Combine: Just
// error: 'Just' is unavailable: use Observable.just(_:)
import Streams

private func example() {
    #if MISTAKE
        _ = Just(1).map { $0 + 1 }
    #else
        _ = Observable.just(1).map { $0 + 1 }
    #endif
}
