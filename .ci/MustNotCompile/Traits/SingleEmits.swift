// A single emits elements.
// error: value of type '@Sendable (Result<Int, any Error>) -> Void' has no member 'onNext'
import Streams

private func example() {
    #if MISTAKE
        _ = Single<Int>.create { single in
            single.onNext(1)  // <-
            return Disposables.create()
        }
    #else
        _ = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create()
        }
    #endif
}
