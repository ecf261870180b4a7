// A single emits elements.
// error: 'create' is unavailable: a single has one result: call the closure with .success(_:) or .failure(_:)
import Streams

private func example() {
    #if MISTAKE
        _ = Single<Int>.create { single in  // <-
            single.onNext(1)
            return Disposables.create()
        }
    #else
        _ = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create()
        }
    #endif
}
