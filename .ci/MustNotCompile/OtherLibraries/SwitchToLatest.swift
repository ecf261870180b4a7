// Combine: switchToLatest()
// error: 'switchToLatest()' has been renamed to 'switchLatest()'
import Streams

private func example(_ pages: Observable<Observable<Int>>) {
    #if MISTAKE
        _ = pages.switchToLatest()
    #else
        _ = pages.switchLatest()
    #endif
}
