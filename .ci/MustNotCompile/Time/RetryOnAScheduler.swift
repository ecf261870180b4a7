// retry is given a scheduler, but no delay.
// error: 'retry(_:scheduler:)' is unavailable: attempts without delays need no scheduler; with delays: retry(.delay(.seconds(1), maxAttempts: 3))
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.retry(3, scheduler: MainScheduler.instance)
    #else
        _ = numbers.retry(.delay(.seconds(1), maxAttempts: 3), scheduler: MainScheduler.instance)
    #endif
}
