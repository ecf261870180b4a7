// error: 'assign(to:)' is unavailable: this stream may fail: use replaceError(with:) or convertToResult() first
import Streams

@MainActor
final class Counter {
    @Streamed var count = 0

    func follow(_ numbers: Observable<Int>) {
        numbers.assign(to: $count)
    }
}
