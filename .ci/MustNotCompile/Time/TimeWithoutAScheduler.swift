// There is no scheduler.
// error: missing argument for parameter 'scheduler' in call
import Streams

private func example(_ letters: Observable<String>) {
    #if MISTAKE
        _ = letters.debounce(.milliseconds(300))
    #else
        _ = letters.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    #endif
}
