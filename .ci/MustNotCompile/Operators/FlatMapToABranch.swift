// One branch of flatMap returns a member of an unknown type.
// error: cannot infer contextual base in reference to member 'empty'
import Streams

private func example(_ numbers: Observable<Int>, _ load: @escaping @Sendable (Int) -> Observable<String>) {
    #if MISTAKE
        _ = numbers.flatMap { number in
            guard number > 0 else { return .empty() }  // <-
            return load(number)
        }
    #else
        _ = numbers.flatMap { number -> Observable<String> in
            guard number > 0 else { return .empty() }
            return load(number)
        }
    #endif
}
