// Combine: removeDuplicates()
// error: 'removeDuplicates()' has been renamed to 'distinctUntilChanged()'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.removeDuplicates()
    #else
        _ = numbers.distinctUntilChanged()
    #endif
}
