// The closure has fewer parameters than there are streams.
// error: contextual closure type '@Sendable (Int, String, Bool) throws -> Int' expects 3 arguments, but 2 were used in closure body
import Streams

private func example(_ a: Observable<Int>, _ b: Observable<String>, _ c: Observable<Bool>) {
    #if MISTAKE
        _ = Observable.combineLatest(a, b, c) { a, b in a }
    #else
        _ = Observable.combineLatest(a, b, c) { a, b, _ in b.count + a }
    #endif
}
