// Combine: AnyPublisher
// error: 'AnyPublisher' is unavailable: every stream is an Observable of its elements; errors have no type
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        let _: AnyPublisher<Int, Never> = numbers
    #else
        let _: Observable<Int> = numbers
    #endif
}
