// A stream is iterated over.
// error: for-in loop requires 'Observable<Int>' to conform to 'AsyncSequence'
import Streams

private func example(_ numbers: Observable<Int>) async throws {
    #if MISTAKE
        for try await number in numbers { print(number) }
    #else
        for try await number in numbers.values { print(number) }
    #endif
}
