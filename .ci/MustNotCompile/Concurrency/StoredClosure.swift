// A closure is stored in a variable first.
// error: converting non-Sendable function value to '@Sendable (Int) throws -> Bool' may introduce data races
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        let isEven = { (number: Int) in number.isMultiple(of: 2) }
        _ = numbers.filter(isEven)  // <-
    #else
        let isEven: @Sendable (Int) -> Bool = { number in number.isMultiple(of: 2) }
        _ = numbers.filter(isEven)
    #endif
}
