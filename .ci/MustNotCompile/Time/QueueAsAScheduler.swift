// The scheduler is a dispatch queue.
// error: argument type 'DispatchQueue' does not conform to expected type 'Scheduler'
import Dispatch
import Streams

private func example(_ letters: Observable<String>, _ queue: DispatchQueue) {
    #if MISTAKE
        _ = letters.debounce(.milliseconds(300), scheduler: queue)
    #else
        _ = letters.debounce(.milliseconds(300), scheduler: SerialDispatchQueueScheduler(queue: queue))
    #endif
}
