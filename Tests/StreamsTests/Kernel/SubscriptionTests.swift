import StreamsTesting
import Synchronization
import Testing

@Suite("Subscriptions", .countsResources)
struct SubscriptionTests {
    @Test("Each kind of event reaches its closure, and the disposal comes before the terminal event's")
    func closures() {
        let log = Output()
        func subscribe(_ stream: Observable<Int>) {
            stream.subscribe(
                onNext: { value in log.print("\(value)") },
                onError: { error in log.print("\(error)") },
                onCompleted: { log.print("completed") },
                onDisposed: { log.print("disposed") }
            ).dispose()
        }
        subscribe(.of(1, 2))
        subscribe(.error(TestError.failed))
        subscribe(.never())
        #expect(log.lines == ["1", "2", "disposed", "completed", "disposed", "failed", "disposed"])
    }

    @Test("Releasing the disposable keeps the stream running")
    func dropped() {
        let subject = PublishSubject<Int>()
        let observer = TestObserver<Int>()
        _ = subject.subscribe(observer)
        subject.onNext(1)
        #expect(observer.values == [1])
    }

    @Test("A deallocated bag disposes its members")
    func bag() {
        let subject = PublishSubject<Int>()
        let observer = TestObserver<Int>()
        do {
            let bag = DisposeBag()
            subject.subscribe(observer).disposed(by: bag)
            subject.onNext(1)
        }
        subject.onNext(2)
        #expect(observer.values == [1])
    }

    @Test("create disposes its closure's disposable, however the stream terminates")
    func createTeardown() {
        let teardowns = Lock(0)
        func stream(_ body: @escaping @Sendable (AnyObserver<Int>) -> Void) -> Observable<Int> {
            .create { observer in
                body(observer)
                return Disposables.create { teardowns.withLock { $0 += 1 } }
            }
        }
        for body: @Sendable (AnyObserver<Int>) -> Void in [{ $0.onCompleted() }, { $0.onError(TestError.failed) }, { _ in }] {
            let subscription = stream(body).catchAndComplete().subscribe { _ in }
            subscription.dispose()
            subscription.dispose()
        }
        #expect(teardowns.withLock { $0 } == 3)
    }

    @Test("The observer of create retains nothing after termination, even if it is retained")
    func createKeepsNothing() {
        let kept = Lock<AnyObserver<Int>?>(nil)
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let stream = Observable<Int>.create { observer in
                kept.withLock { $0 = observer }
                return Disposables.create()
            }
            let subscription = stream.subscribe { _ in withExtendedLifetime(held) {} }
            kept.withLock { $0 }?.onCompleted()
            subscription.dispose()
        }
        #expect(token == nil)
        kept.withLock { $0 }?.onNext(1)
        _ = kept.withLock { $0.take() }
    }

    @Test("More than 100,000 queued events of one serializer are reported")
    func deepQueue() {
        let depths = Lock<[Int]>([])
        let before = Hooks.serializerBacklog
        Hooks.serializerBacklog = { depth in depths.withLock { $0.append(depth) } }
        defer { Hooks.serializerBacklog = before }
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe { event in
            guard event.element == 0 else { return }
            for value in 1...100_001 { subject.onNext(value) }
        }
        subject.onNext(0)
        #expect(depths.withLock { $0 }.contains(100_001))
        subscription.dispose()
    }

    @Test("repeatElement cancels its scheduled action when it is disposed")
    func repeatElementCancels() {
        let scheduler = ManualScheduler()
        let observer = TestObserver<Int>()
        let subscription = Observable.repeatElement(1, scheduler: scheduler).subscribe(observer)
        scheduler.step()
        scheduler.step()
        #expect(observer.values == [1, 1])
        subscription.dispose()
        #expect(scheduler.step() == false)
    }

    @Test("An event delivered under a lock of the library traps in a debug build")
    func probed() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock(0)
            let observer = AnyObserver<Int> { _ in }
            lock.withLock { _ in observer.onNext(1) }
        }
        await #expect(processExitsWith: .success) {
            AnyObserver<Int> { _ in }.onNext(1)
        }
    }

    @Test("A disposable disposed under a lock of the library traps in a debug build")
    func probedDisposal() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock(0)
            let lifetime = Lifetime()
            lock.withLock { _ in lifetime.dispose() }
        }
    }

    private final class Token: Sendable {}
}
