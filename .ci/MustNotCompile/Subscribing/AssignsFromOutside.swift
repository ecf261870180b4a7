// A property that only its type may set is assigned to from outside.
// error: cannot pass immutable value as inout argument: '$count' is immutable
import Streams

@MainActor
private final class Counter {
    @Streamed private(set) var count = 0

    func follow(_ numbers: Infallible<Int>) {
        numbers.assign(to: &$count)
    }
}

@MainActor
private func connect(_ numbers: Infallible<Int>, to counter: Counter) {
    #if MISTAKE
        numbers.assign(to: &counter.$count)
    #else
        counter.follow(numbers)
    #endif
}
