// Combine: CurrentValueSubject
// error: 'CurrentValueSubject' is unavailable: use BehaviorSubject(value:), or BehaviorRelay(value:), which cannot terminate; errors have no type
import Streams

private func example() {
    #if MISTAKE
        _ = CurrentValueSubject<Int, Never>(1)
    #else
        _ = BehaviorSubject(value: 1)
    #endif
}
