// A stream is zipped with an array.
// error: static method 'zip(_:_:delayErrors:)' requires that '[Int]' conform to 'ObservableConvertibleType'
import Streams

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = Observable.zip(names, [1, 2, 3])
    #else
        _ = Observable.zip(names, Observable.from([1, 2, 3]))
    #endif
}
