// error: 'assign(to:)' is unavailable: this stream may fail: put replaceError(with:) or convertToResult() before
import Streams

@MainActor
final class Counter {
    @Streamed var count = 0

    func follow(_ numbers: Observable<Int>) {
        numbers.assign(to: $count)
    }
}
