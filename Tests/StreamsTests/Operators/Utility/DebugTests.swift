import Streams
import StreamsTesting
import Testing

@Suite("debug", .countsResources) struct DebugTests {
    @Test func `debug prints the events`() {
        let lines = Output()
        let stream = Observable.of(1, 2).debug("numbers") { line in lines.print(line) }
        _ = received(stream.take(1))
        let texts = lines.lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(texts == ["numbers subscribed", "numbers next(1)", "numbers disposed"])
    }

    @Test func `debug prints where a failing chain was traced`() {
        let lines = Output()
        _ = received(
            Observable<Int>.error(Received.Failure()).debug("x") { line in lines.print(line) }.trace(file: "here", line: 3)
        )
        #expect(lines.lines.contains { $0.hasSuffix("x error(Failure()), traced at here:3") })
    }
}
