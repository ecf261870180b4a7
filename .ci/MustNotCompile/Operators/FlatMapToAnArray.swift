// flatMap returns an array.
// error: instance method 'flatMap(maxConcurrent:delayErrors:_:)' requires that '[Int]' conform to 'ObservableConvertibleType'
import Streams

private func example(_ pages: Observable<[Int]>) {
    #if MISTAKE
        _ = pages.flatMap { page in page }
    #else
        _ = pages.flatMapIterable { page in page }
    #endif
}
