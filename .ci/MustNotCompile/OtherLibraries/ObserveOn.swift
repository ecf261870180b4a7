// RxSwift 5: observeOn
// error: 'observeOn' has been renamed to 'observe(on:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.observeOn(MainScheduler.instance)
    #else
        _ = numbers.observe(on: MainScheduler.instance)
    #endif
}
