// A stream that may fail is assigned to a property.
// error: 'assign(to:)' is unavailable: this stream may fail: use replaceError(with:) or convertToResult() first
import Streams

@MainActor
private final class Counter {
    @Streamed var count = 0

    func follow(_ numbers: Observable<Int>) {
        #if MISTAKE
            numbers.assign(to: &$count)
        #else
            numbers.replaceError(with: 0).assign(to: &$count)
        #endif
    }
}
