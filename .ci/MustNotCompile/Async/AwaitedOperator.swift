// An operator is awaited: first() is a stream.
// error: cannot convert value of type 'Observable<Int>' to specified type 'Int'
import Streams

private func example(_ numbers: Observable<Int>) async throws {
    #if MISTAKE
        let number: Int = try await numbers.first()  // <-
        print(number)
    #else
        let number: Int = try await numbers.firstElement()
        print(number)
    #endif
}
