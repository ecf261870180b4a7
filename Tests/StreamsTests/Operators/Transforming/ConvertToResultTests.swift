import Streams
import StreamsTesting
import Testing

@Suite("Conversion to results", .onOneThread, .countsResources) struct ConvertToResultTests {
    @Test func `Results and loading states never fail`() {
        let failing = Observable.concat(.just(1), .error(Received.Failure()))
        #expect(
            received(failing.convertToResult().asObservable()) == ["success(1)", "failure(\(String(reflecting: Received.Failure())))", "|"])
        #expect(received(failing.convertToLoadingState().map { $0.value ?? -1 }.asObservable()) == ["1", "-1", "|"])
        #expect(
            received(failing.convertToLoadingState(startingWithLoading: true).map(\.isLoading).asObservable()) == [
                "true", "false", "false", "|",
            ])
    }
}
