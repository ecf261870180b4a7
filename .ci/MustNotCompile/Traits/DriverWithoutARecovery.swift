// A driver has nothing to emit at an error.
// error: missing argument for parameter 'onErrorJustReturn' in call
import Streams

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.asDriver()
    #else
        _ = names.asDriver(onErrorJustReturn: "")
    #endif
}
