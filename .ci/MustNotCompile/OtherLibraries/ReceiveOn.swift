// Combine: receive(on:)
// error: 'receive(on:)' has been renamed to 'observe(on:)'
import Dispatch
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.receive(on: DispatchQueue.main)
    #else
        _ = numbers.observe(on: DispatchQueue.main)
    #endif
}
