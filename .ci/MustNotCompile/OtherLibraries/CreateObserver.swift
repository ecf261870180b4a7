// RxTest: createObserver
// error: 'createObserver' has been renamed to 'observer(of:)'
import StreamsTesting

private func example(_ scheduler: TestScheduler) {
    #if MISTAKE
        _ = scheduler.createObserver(Int.self)
    #else
        _ = scheduler.observer(of: Int.self)
    #endif
}
