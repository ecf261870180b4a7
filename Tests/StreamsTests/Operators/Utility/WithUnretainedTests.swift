import Streams
import StreamsTesting
import Testing

@Suite("withUnretained", .countsResources) struct WithUnretainedTests {
    @Test func `withUnretained completes when the object is deallocated`() {
        let subject = PublishSubject<Int>()
        let isGone = Tally()
        var object: Tally? = Tally()
        let texts = Output()
        guard let held = object else { return }
        let subscription = subject.do(onDispose: { isGone.add() }).withUnretained(held) { $0.value + $1 }
            .subscribe { event in texts.print("\(event)") }
        subject.onNext(1)
        _ = consume held
        object = nil
        subject.onNext(2)
        #expect(texts.lines == ["next(1)", "completed"])
        #expect(isGone.value == 1)
        subscription.dispose()
    }
}
