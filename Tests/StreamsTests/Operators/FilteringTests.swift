import StreamsTesting
import Testing

@Suite("Filtering", .countsResources)
struct FilteringTests {
    @Test("take disposes upstream before its completion is delivered")
    func takeEndsUpstreamFirst() {
        let log = Lock<[String]>([])
        let subject = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            CompositeDisposable([subject.subscribe(observer), Disposables.create { log.withLock { $0.append("disposed") } }])
        }
        let subscription = source.take(1).subscribe(onCompleted: { log.withLock { $0.append("completed") } })
        subject.onNext(1)
        #expect(log.withLock { $0 } == ["disposed", "completed"])
        subscription.dispose()
    }
}
