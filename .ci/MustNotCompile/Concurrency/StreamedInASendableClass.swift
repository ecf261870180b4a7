// A @Streamed property of a Sendable class.
// error: stored property '_count' of 'Sendable'-conforming class 'Counter' is mutable
import Streams

private final class Counter: Sendable {
    #if MISTAKE
        @Streamed var count = 0
    #else
        let count = BehaviorRelay(value: 0)
    #endif
}
