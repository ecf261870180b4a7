import StreamsTesting
import Testing

@Suite("take", .onOneThread, .countsResources)
struct TakeTests {
    @Test func `take disposes upstream before its completion is delivered`() {
        let log = Output()
        let subject = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            CompositeDisposable([subject.subscribe(observer), Disposables.create { log.print("disposed") }])
        }
        let subscription = source.take(1).subscribe(onCompleted: { log.print("completed") })
        subject.onNext(1)
        #expect(log.lines == ["disposed", "completed"])
        subscription.dispose()
    }
}
