// The state of an actor is changed in a subscription.
// error: actor-isolated property 'count' can not be mutated from a Sendable closure
import Streams

private actor Counter {
    var count = 0

    func follow(_ numbers: Observable<Int>) async throws {
        #if MISTAKE
            _ = numbers.subscribe(onNext: { number in self.count += number })
        #else
            for try await number in numbers.values { count += number }
        #endif
    }
}
