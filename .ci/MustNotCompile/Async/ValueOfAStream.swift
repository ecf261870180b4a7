// The value of a stream is awaited.
// error: 'value' is unavailable: any number of elements may follow: await firstElement(), or keep the latest in a BehaviorRelay
import Streams

private func example(_ numbers: Observable<Int>) async throws {
    #if MISTAKE
        print(try await numbers.value)
    #else
        print(try await numbers.firstElement())
    #endif
}
