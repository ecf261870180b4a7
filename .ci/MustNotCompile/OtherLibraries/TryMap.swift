// Combine: tryMap
// error: 'tryMap' has been renamed to 'map(_:)'
import Streams

private func half(_ number: Int) throws -> Int { number / 2 }

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.tryMap { try half($0) }
    #else
        _ = numbers.map { try half($0) }
    #endif
}
