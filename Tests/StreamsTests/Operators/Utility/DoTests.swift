import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct DoTests {
    @Test func `do performs side effects around the events`() {
        let log = Output()
        @Sendable func note(_ text: String) -> @Sendable () -> Void {
            { log.print(text) }
        }
        let subscription = Observable.of(1).do(
            onNext: { _ in note("onNext")() }, afterNext: { _ in note("afterNext")() }, onCompleted: note("onCompleted"),
            afterCompleted: note("afterCompleted"), onSubscribe: note("onSubscribe"), onSubscribed: note("onSubscribed"),
            onDispose: note("onDispose")
        ).subscribe(onNext: { _ in note("next")() }, onCompleted: note("completed"), onDisposed: note("disposed"))
        #expect(
            log.lines == [
                "onSubscribe", "onNext", "next", "afterNext", "onCompleted", "disposed", "completed", "afterCompleted", "onSubscribed",
                "onDispose",
            ])
        subscription.dispose()
    }
}
