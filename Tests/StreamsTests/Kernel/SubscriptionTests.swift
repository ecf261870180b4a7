import OperatorCatalogue
import StreamsTesting
import Synchronization
import Testing

@Suite("Subscriptions", .countsResources, .serialized)
struct SubscriptionTests {
    @Test func `Each kind of event reaches its closure, and the disposal comes last`() {
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
        #expect(log.lines == ["1", "2", "completed", "disposed", "failed", "disposed", "disposed"])
    }

    @Test func `A disposal while an element is handled is told behind it`() {
        let log = Output()
        let (subject, subscription) = (PublishSubject<Int>(), SerialDisposable())
        subscription.disposable = subject.subscribe(
            onNext: { _ in
                subscription.dispose()
                log.print("handled")
            }, onDisposed: { log.print("disposed") })
        subject.onNext(1)
        #expect(log.lines == ["handled", "disposed"])
    }

    @Test func `Releasing the disposable keeps the stream running`() {
        let subject = PublishSubject<Int>()
        let observer = TestObserver<Int>()
        _ = subject.subscribe(observer)
        subject.onNext(1)
        #expect(observer.values == [1])
    }

    @Test func `A deallocated bag disposes its members`() {
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

    @Test func `create disposes its closure's disposable, however the stream terminates`() {
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

    @Test func `The observer of create retains nothing after termination, even if it is retained`() {
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

    @Test func `More than 100,000 queued events of one serializer are reported`() {
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

    @Test func `A replaced hook is released outside of the lock of the hooks`() {
        let (before, user) = (Hooks.serializerBacklog, UserCode())
        do {
            let captured = user.element(1)
            Hooks.serializerBacklog = { _ in withExtendedLifetime(captured) {} }
        }
        Hooks.serializerBacklog = before
        #expect(user.violations == [])
    }

    @Test func `repeatElement cancels its scheduled action when it is disposed`() {
        let scheduler = ManualScheduler()
        let observer = TestObserver<Int>()
        let subscription = Observable.repeatElement(1, scheduler: scheduler).subscribe(observer)
        scheduler.step()
        scheduler.step()
        #expect(observer.values == [1, 1])
        subscription.dispose()
        #expect(scheduler.step() == false)
    }

    private final class Token: Sendable {}
}
