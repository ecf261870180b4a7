import Streams
import StreamsTesting
import Testing

@Suite("using", .onOneThread, .countsResources) struct UsingTests {
    private let scheduler = TestScheduler()

    @Test func `using disposes its resource when the stream has terminated, or when it is disposed`() throws {
        let resource = BooleanDisposable()
        let source = try scheduler.hot("-1-2|", of: Int.self)
        let stream = Observable.using({ resource }, observableFactory: { _ in source.asObservable() })
        scheduler.start(disposed: 3) { stream }.expect("-1-2")
        #expect(resource.isDisposed)
        source.expectSubscriptions("^--!")
    }
}
