// The scheduler is .main.
// error: type 'any Scheduler' has no member 'main'
import Streams

private func example(_ letters: Observable<String>) {
    #if MISTAKE
        _ = letters.debounce(.milliseconds(300), scheduler: .main)
    #else
        _ = letters.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    #endif
}
