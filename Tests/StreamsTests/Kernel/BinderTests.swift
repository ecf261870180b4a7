import StreamsTesting
import Testing

@Suite("Binders", .countsResources)
struct BinderTests {
    let time = VirtualTimeScheduler()

    @MainActor
    final class Label {
        var text: String?
        var isHidden = false
        var log: [String] = []
    }

    @Test
    @MainActor
    func `A binder sets its target on the main loop, synchronously when it is there`() async {
        let label = Label()
        let hidden = Binder(label) { label, isHidden in label.isHidden = isHidden }
        let subscription = Observable.just(true).bind(to: hidden)
        if MainScheduler.isOnMainLoop {
            #expect(label.isHidden)
        } else {
            await mainLoopTurn()
            #expect(label.isHidden)
        }
        subscription.dispose()
    }

    @Test
    @MainActor
    func `From another thread a binder switches to the main loop, in order`() async {
        let label = Label()
        let log = Binder(label) { label, text in label.log.append(text) }
        await Task.detached {
            let subscription = Observable.of("a", "b", "c").bind(to: log)
            await mainLoopTurn()
            subscription.dispose()
        }.value
        #expect(label.log == ["a", "b", "c"])
    }

    @Test
    @MainActor
    func `The properties of a view are binders, also for streams of non-optional values`() async {
        let label = Label()
        let bag = DisposeBag()
        Observable.just("text").bind(to: label.rx.text).disposed(by: bag)
        Observable.just(true).bind(to: label.rx.isHidden).disposed(by: bag)
        await mainLoopTurn()
        #expect(label.text == "text" && label.isHidden)
    }

    @Test
    @MainActor
    func `bind(onNext:) and bind(with:) deliver on the main loop`() async {
        let label = Label()
        let bag = DisposeBag()
        Observable.just("a").bind { label.log.append($0) }.disposed(by: bag)
        Observable.just("b").bind(with: label) { label, text in label.log.append(text) }.disposed(by: bag)
        await mainLoopTurn()
        #expect(label.log == ["a", "b"])
    }

    @Test func `A binder references its target weakly`() {
        let calls = Lock(0)
        let binder: Binder<Int>
        weak var target: Target?
        do {
            let held = Target()
            target = held
            binder = Binder(held, scheduler: ImmediateScheduler.instance) { _, _ in calls.withLock { $0 += 1 } }
            binder.onNext(1)
        }
        #expect(target == nil)
        binder.onNext(2)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `A binder runs on its scheduler, in order`() {
        let target = Target()
        let log = Lock<[Int]>([])
        let binder = Binder(target, scheduler: time) { _, value in log.withLock { $0.append(value) } }
        let subscription = Observable.of(1, 2, 3).bind(to: binder)
        #expect(log.withLock { $0 } == [])
        time.run()
        #expect(log.withLock { $0 } == [1, 2, 3])
        subscription.dispose()
    }

    @Test func `Elements queued for a binder's scheduler are dropped when the binding is disposed`() {
        let target = Target()
        let log = Lock<[Int]>([])
        let binder = Binder(target, scheduler: time) { _, value in log.withLock { $0.append(value) } }
        let subscription = Observable.of(1, 2).concat(Observable.never()).bind(to: binder)
        subscription.dispose()
        time.run()
        #expect(log.withLock { $0 } == [])
    }

    @Test func `An error that reaches a binder or a relay is reported through the hook`() {
        let reported = Output()
        let before = Hooks.errorInBinder
        Hooks.errorInBinder = { error in
            guard error as? TestError == TestError("binder") else { return before(error) }
            reported.print("\(error)")
        }
        defer { Hooks.errorInBinder = before }
        let target = Target()
        Observable<Int>.error(TestError("binder")).bind(to: Binder(target, scheduler: time) { _, _ in }).dispose()
        Observable<Int>.error(TestError("binder")).bind(to: PublishRelay<Int>()).dispose()
        #expect(reported.lines == ["binder", "binder"])
    }

    @Test func `bind(to:) takes several observers at once, and optionals`() {
        let (first, second, third) = (TestObserver<Int>(), TestObserver<Int>(), TestObserver<Int>())
        let optional = TestObserver<Int?>()
        Observable.of(1, 2).bind(to: first, second, third).dispose()
        Observable.of(1, 2).bind(to: optional).dispose()
        for observer in [first, second, third] { #expect(observer.values == [1, 2] && observer.isCompleted) }
        #expect(optional.values == [1, 2])
    }

    @Test func `Several binders drop queued elements when they are disposed`() {
        let target = Target()
        let log = Lock<[Int]>([])
        let binder = Binder<Int>(target, scheduler: time) { _, value in log.withLock { $0.append(value) } }
        let subject = PublishSubject<Int>()
        let subscription = subject.bind(to: binder, binder)
        subject.onNext(1)
        time.run()
        subject.onNext(2)
        subscription.dispose()
        time.run()
        #expect(log.withLock { $0 } == [1, 1])
    }

    @Test func `subscribe(with:) references its object weakly`() {
        let subject = PublishSubject<Int>()
        let log = Output()
        let subscription: any Disposable
        do {
            let target = Target()
            subscription = subject.subscribe(
                with: target, onNext: { _, value in log.print("\(value)") },
                onDisposed: { _ in log.print("disposed") })
            subject.onNext(1)
        }
        subject.onNext(2)
        subscription.dispose()
        #expect(log.lines == ["1"])
    }

    @Test func `mapObserver accepts another type, and fails when its closure throws`() {
        let numbers = TestObserver<Int>()
        let texts: AnyObserver<String> = numbers.mapObserver { text in
            guard let number = Int(text) else { throw TestError.failed }
            return number
        }
        texts.onNext("1")
        texts.onNext("x")
        #expect(numbers.values == [1] && numbers.error as? TestError == .failed)
    }

    @Test
    @MainActor
    func `AnyObserver.main and subscribeOnMain run on the main loop`() async {
        let label = Label()
        let first = Observable.of("a", "b").subscribe(AnyObserver.main { event in label.log.append("\(event)") })
        await mainLoopTurn()
        let second = Observable.of("c").subscribeOnMain(
            onNext: { label.log.append($0) }, onCompleted: { label.log.append("completed") })
        await mainLoopTurn()
        #expect(label.log == ["next(a)", "next(b)", "completed", "c", "completed"])
        first.dispose()
        second.dispose()
    }

    private final class Target: Sendable {}
}

extension BinderTests.Label: ReactiveCompatible {}

/// Returns when the main loop has done what was enqueued before.
func mainLoopTurn() async {
    await withCheckedContinuation { continuation in
        _ = MainScheduler.asyncInstance.schedule { continuation.resume() }
    }
}
