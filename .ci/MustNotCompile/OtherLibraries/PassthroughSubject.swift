// Combine: PassthroughSubject
// error: 'PassthroughSubject' is unavailable: use PublishSubject, or PublishRelay, which cannot terminate; errors have no type
import Streams

private func example() {
    #if MISTAKE
        _ = PassthroughSubject<Int, Never>()
    #else
        _ = PublishSubject<Int>()
    #endif
}
