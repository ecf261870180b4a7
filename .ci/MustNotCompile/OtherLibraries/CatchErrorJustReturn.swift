// RxSwift 5: catchErrorJustReturn
// error: 'catchErrorJustReturn' has been renamed to 'catchAndReturn(_:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.catchErrorJustReturn(0)
    #else
        _ = numbers.catchAndReturn(0)
    #endif
}
