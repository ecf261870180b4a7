// take(until:) is given a predicate.
// error: type '(Int) -> Bool' cannot conform to 'ObservableConvertibleType'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.take(until: { number in number > 3 })
    #else
        _ = numbers.take(while: { number in number <= 3 }, behavior: .inclusive)
    #endif
}
