// RxSwift: SchedulerType
// error: 'SchedulerType' is unavailable: use any Scheduler
import Streams

private func example(_ letters: Observable<String>) {
    #if MISTAKE
        let scheduler: SchedulerType = MainScheduler.instance  // <-
        _ = letters.debounce(.milliseconds(300), scheduler: scheduler)
    #else
        let scheduler: any Scheduler = MainScheduler.instance
        _ = letters.debounce(.milliseconds(300), scheduler: scheduler)
    #endif
}
