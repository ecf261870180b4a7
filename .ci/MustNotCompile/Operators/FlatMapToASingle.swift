// flatMap returns a Single.
// error: instance method 'flatMap(maxConcurrent:delayErrors:_:)' requires that 'Single<String>' (aka 'PrimitiveSequence<SingleKind, String>') conform to 'ObservableType'
import Streams

private func profile(of name: String) -> Single<String> { .just(name) }

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.flatMap { name in profile(of: name) }
    #else
        _ = names.flatMap { name in profile(of: name).asObservable() }
    #endif
}
