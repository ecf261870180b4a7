// startWith is given an array.
// error: cannot pass array of type '[Int]' as variadic arguments of type 'Int'
import Streams

private func example(_ numbers: Observable<Int>, _ first: [Int]) {
    #if MISTAKE
        _ = numbers.startWith([1, 2])
    #else
        _ = numbers.startWith(1, 2)
    #endif
}
