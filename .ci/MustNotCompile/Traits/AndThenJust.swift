// The trait that follows a completable is written as a member of any trait.
// error: ambiguous use of 'just'
import Streams

private func example(_ saving: Completable) {
    #if MISTAKE
        _ = saving.andThen(.just(1)).asObservable()
    #else
        _ = saving.andThen(Single.just(1)).asObservable()
    #endif
}
