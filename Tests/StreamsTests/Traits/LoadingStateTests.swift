import Streams
import StreamsTesting
import Testing

@Suite("Loading states", .onOneThread, .countsResources) struct LoadingStateTests {
    @Test func `A loading state is mapped where it has a value, and fails if the closure throws`() {
        #expect(LoadingState<Int>.idle.map { $0 + 1 } == .idle)
        #expect(LoadingState<Int>.loading.map { $0 + 1 } == .loading)
        #expect(LoadingState.loaded(1).map { $0 + 1 } == .loaded(2))
        #expect(LoadingState<Int>.failed(Received.Failure()).map { $0 + 1 } == .failed(Received.Failure()))
        #expect(LoadingState.loaded(1).map { _ -> Int in throw Received.Failure() } == .failed(Received.Failure()))
    }
}
