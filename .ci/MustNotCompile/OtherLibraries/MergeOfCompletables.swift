// RxSwift 4: Completable.merge
// error: 'merge' has been renamed to 'zip(_:)'
import Streams

private func example(_ first: Completable, _ second: Completable) {
    #if MISTAKE
        _ = Completable.merge(first, second)
    #else
        _ = Completable.zip(first, second)
    #endif
}
