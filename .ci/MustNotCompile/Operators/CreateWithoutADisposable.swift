// create returns no disposable.
// error: cannot convert value of type '()' to closure result type 'any Disposable'
import Streams

private func example() {
    #if MISTAKE
        _ = Observable<Int>.create { observer in
            observer.onNext(1)  // <-
        }
    #else
        _ = Observable<Int>.create { observer in
            observer.onNext(1)
            return Disposables.create()
        }
    #endif
}
