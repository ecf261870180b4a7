// RxTest: start
// error: 'start()' has been renamed to 'run()'
import StreamsTesting

private func example(_ scheduler: TestScheduler) {
    #if MISTAKE
        scheduler.start()
    #else
        scheduler.run()
    #endif
}
