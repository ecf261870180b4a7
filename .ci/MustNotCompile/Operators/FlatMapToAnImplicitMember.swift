// flatMap returns a member of an unknown type.
// error: type 'ObservableConvertibleType' has no member 'just'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.flatMap { number in .just(number + 1) }
    #else
        _ = numbers.flatMap { number in Observable.just(number + 1) }
    #endif
}
