// Combine: send
// error: 'send' has been renamed to 'onNext(_:)'
import Streams

private func example(_ numbers: PublishSubject<Int>) {
    #if MISTAKE
        numbers.send(1)
    #else
        numbers.onNext(1)
    #endif
}
