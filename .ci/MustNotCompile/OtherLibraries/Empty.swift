// Combine: Empty
// error: 'Empty' is unavailable: use Observable.empty(), or Observable.never(); errors have no type
import Streams

private func example() {
    #if MISTAKE
        _ = Empty<Int, Never>()
    #else
        _ = Observable<Int>.empty()
    #endif
}
