// A stream is awaited: nothing is subscribed to.
// warning: no 'async' operations occur within 'await' expression
import Streams

private func example(_ numbers: Observable<Int>) async throws {
    #if MISTAKE
        let number = await numbers  // <-
        print(number)
    #else
        let number = try await numbers.firstElement()
        print(number)
    #endif
}
