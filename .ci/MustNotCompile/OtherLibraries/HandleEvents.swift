// Combine: handleEvents
// error: 'handleEvents(receiveOutput:)' has been renamed to 'do(onNext:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.handleEvents(receiveOutput: { print($0) })
    #else
        _ = numbers.do(onNext: { print($0) })
    #endif
}
