// A duration is a number of seconds.
// error: cannot convert value of type 'Double' to expected argument type 'Duration'
import Streams

private func example(_ letters: Observable<String>) {
    #if MISTAKE
        _ = letters.debounce(0.3, scheduler: MainScheduler.instance)
    #else
        _ = letters.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    #endif
}
