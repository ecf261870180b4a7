// The value of a relay is set.
// error: setter for 'value' is unavailable: use accept(_:), or update(_:) for a change of the current value
import Streams

private func example(_ count: BehaviorRelay<Int>) {
    #if MISTAKE
        count.value += 1
    #else
        count.update { count in count += 1 }
    #endif
}
