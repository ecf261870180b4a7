// flatMap returns a value.
// error: instance method 'flatMap(maxConcurrent:delayErrors:_:)' requires that 'Int' conform to 'ObservableConvertibleType'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.flatMap { number in number + 1 }
    #else
        _ = numbers.map { number in number + 1 }
    #endif
}
