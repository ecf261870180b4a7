// The inner stream of a driver may fail.
// error: 'flatMapLatest' is unavailable: the inner stream may fail, or is another trait: convert it, as with asDriver(onErrorJustReturn:)
import Streams

private func profile(of name: String) -> Observable<String> { .just(name) }

private func example(_ names: Driver<String>) {
    #if MISTAKE
        _ = names.flatMapLatest { name in profile(of: name) }
    #else
        _ = names.flatMapLatest { name in profile(of: name).asDriver(onErrorJustReturn: "") }
    #endif
}
