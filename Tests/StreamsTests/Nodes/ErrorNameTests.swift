import StreamsTesting
import Testing

@testable import Streams

/// The names of errors whose descriptions logs do not show.
@Suite("Names of errors in logs")
struct ErrorNameTests {
    private struct Leak<Place: Sendable>: Error {}

    @Test func `Logs name an error with the types that it is nested in, and without its module`() {
        struct Burst: Error {}
        let names: [(any Error, String)] = [
            (Bulkhead.Failure.full(maxConcurrent: 1, queueCapacity: 0), "Bulkhead.Failure"), (StreamError.noElements, "StreamError"),
            (TestError.failed, "TestError"), (CancellationError(), "CancellationError"), (Burst(), "Burst"), (Leak<Int>(), "Leak<Int>"),
        ]
        for (error, name) in names { #expect(typeName(of: error) == name) }
        #expect(redactedDescription(of: StreamError.noElements) == "StreamError")
    }
}
