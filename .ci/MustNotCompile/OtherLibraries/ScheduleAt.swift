// RxTest: scheduleAt
// error: 'scheduleAt(_:action:)' has been renamed to 'schedule(at:_:)'
import StreamsTesting

private func example(_ scheduler: TestScheduler) {
    #if MISTAKE
        scheduler.scheduleAt(1) { print("now") }
    #else
        scheduler.schedule(at: 1) { print("now") }
    #endif
}
