// Combine: eraseToAnyPublisher()
// error: 'eraseToAnyPublisher()' is unavailable: every stream is an Observable already, without erasure
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.map { $0 + 1 }.eraseToAnyPublisher()
    #else
        _ = numbers.map { $0 + 1 }
    #endif
}
