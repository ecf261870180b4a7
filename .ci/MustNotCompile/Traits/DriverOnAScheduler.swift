// A driver is timed by a scheduler.
// error: 'debounce(_:scheduler:)' is unavailable: drivers and signals are timed by the main loop: use debounce(_:)
import Streams

private func example(_ names: Driver<String>) {
    #if MISTAKE
        _ = names.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    #else
        _ = names.debounce(.milliseconds(300))
    #endif
}
