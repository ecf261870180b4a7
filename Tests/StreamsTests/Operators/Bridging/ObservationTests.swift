import Observation
import Streams
import StreamsTesting
import Testing

@MainActor
@Suite("Observed models", .countsResources) struct ObservationTests {
    @Observation.Observable final class Model {
        var title = "a"
        var other = 0
    }

    @Test func `Observed properties are emitted initially and after each change`() async throws {
        let model = Model()
        var titles = Streams.Observable.observe { model.title }.values.makeAsyncIterator()
        #expect(try await titles.next() == "a")
        model.other = 1
        model.title = "b"
        #expect(try await titles.next() == "b")
    }
}
