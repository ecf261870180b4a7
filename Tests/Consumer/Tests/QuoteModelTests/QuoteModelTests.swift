import NetNodes
import QuoteModel
import StreamsTesting
import Synchronization
import Testing

@Suite("The watcher's model", .countsResources)
struct QuoteModelTests {
    let scheduler = TestScheduler()

    @Test func `Shows the quotes when they change, and skips a response that failed twice`() {
        let answers = Mutex<[Result<[Quote], TestError>]>([
            .success([Quote(symbol: "A", price: 1)]), .failure(TestError("first")), .failure(TestError("second")),
            .success([Quote(symbol: "A", price: 1)]), .success([Quote(symbol: "A", price: 2)]),
        ])
        let node = AnyNode<Void, [Quote]> { .deferred { .just(try answers.withLock { $0.removeFirst() }.get()) } }
        let model = QuoteModel(quotes: node, scheduler: scheduler)
        let shown = scheduler.start(disposed: 3) { model.lines(every: .seconds(1)).map { $0.joined() } }
        #expect(shown.values == ["A 1.0", "A 2.0"])
    }

    @Test func `Each operator that keeps a value emits a pair of any two types`() async throws {
        for (index, stream) in Quote.pairs("A", 1).enumerated() {
            let last = try await stream.lastElement()
            #expect(last == ("A", 1), "stream \(index)")
        }
    }
}
