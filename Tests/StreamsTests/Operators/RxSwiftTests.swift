import StreamsTesting
import Testing

/// What RxSwift does and this package once did not, operator by operator.
@Suite("As RxSwift does", .countsResources)
struct RxSwiftTests {
    let scheduler = TestScheduler()

    @Test func `A throttle timer superseded while it fired does not emit the next trailing element too early`() {
        let late = ManualScheduler(runsDisposed: true)
        let subject = PublishSubject<Int>()
        let received = TestObserver<Int>()
        let subscription = subject.throttle(.seconds(3), scheduler: late).subscribe(received)
        for (second, element) in [(1, 1), (2, 2), (5, 3), (6, 4)] {
            late.time.withLock { $0 = .seconds(second) }
            subject.onNext(element)
        }
        late.step()
        #expect(received.values == [1, 3])
        late.time.withLock { $0 = .seconds(8) }
        late.step()
        #expect(received.values == [1, 3, 4])
        subscription.dispose()
    }

    @Test func `retry(when:) makes one attempt for several elements of its trigger`() throws {
        let source = try scheduler.cold("1-#", of: Int.self)
        let stream = source.retry(when: { errors in
            errors.take(2).flatMap { _ in Observable.of(1, 2, 3).delay(.seconds(1), scheduler: scheduler) }
        })
        scheduler.start(disposed: 20) { stream }.expect("1--1--1-|")
        source.expectSubscriptions("^-!", "---^-!", "------^-!")
    }

    @Test(arguments: [true, false]) func `The termination of retry(when:)'s trigger takes effect at the next error`(fails: Bool) throws {
        let source = try scheduler.cold("1--#", of: Int.self)
        let trigger = try scheduler.hot(fails ? "----1-#" : "----1-|", of: Int.self)
        let stream = source.retry(when: { _ in trigger })
        scheduler.start(disposed: 20) { stream }.expect(fails ? "1---1--#" : "1---1--|")
        source.expectSubscriptions("^--!", "----^--!")
    }

    @Test
    func `The termination of retry(when:)'s trigger terminates the result between attempts, and a completed attempt completes it`() throws {
        let source = try scheduler.cold("1-#", of: Int.self)
        let trigger = try scheduler.hot("----|", of: Int.self)
        scheduler.start(disposed: 20) { source.retry(when: { _ in trigger }) }.expect("1---|")
        let later = TestScheduler()
        let completing = try later.cold("1-|", of: Int.self)
        let early = try later.cold("-|", of: Int.self)
        later.start(disposed: 20) { completing.retry(when: { _ in early }) }.expect("1-|")
    }

    @Test func `combineLatest of no streams emits the empty result and completes, zip of none completes`() {
        let none: [Observable<Int>] = []
        #expect(received(Observable.combineLatest(none) { $0 }) == ["[]", "|"])
        #expect(received(Observable.combineLatest(none) { $0.count }.take(1)) == ["0", "|"])
        #expect(received(Observable<Int>.combineLatest(none) { _ in throw Received.Failure() }) == ["# Failure()"])
        #expect(received(Observable.zip(none) { $0 }) == ["|"])
    }

    @Test func `The groups of groupBy terminate in the order of creation, before the stream of groups does`() {
        let log = Output()
        Observable.from(Array(0..<20)).groupBy { $0 % 10 }.subscribe(
            onNext: { group in
                _ = group.subscribe(onCompleted: { log.print("\(group.key)") })
            }, onCompleted: { log.print("all") }
        ).dispose()
        #expect(log.lines == (0..<10).map { "\($0)" } + ["all"])
    }

    @Test(arguments: DisposalPath.allCases)
    func `onDispose of do is called last, after the source was disposed, on every path`(path: DisposalPath) {
        let log = Output()
        let observers = Lock<AnyObserver<Int>?>(nil)
        let source = Observable<Int>.create { observer in
            observers.withLock { $0 = observer }
            if path.isSynchronous { path.send(to: observer) }
            return Disposables.create { log.print("source disposed") }
        }
        let holder = SerialDisposable()
        let stream = source.do(
            afterNext: { _ in log.print("afterNext") }, afterError: { _ in log.print("afterError") },
            afterCompleted: { log.print("afterCompleted") },
            onSubscribed: { log.print("onSubscribed") }, onDispose: { log.print("onDispose") })
        holder.disposable = path.apply(stream).subscribe(
            onNext: { _ in if path == .disposeInside { holder.dispose() } }, onError: { _ in log.print("error") },
            onCompleted: { log.print("completed") })
        if !path.isSynchronous, let observer = observers.withLock({ $0 }) { path.send(to: observer) }
        if path == .dispose { holder.dispose() }
        let texts = log.lines
        #expect(texts.last == "onDispose", "\(texts)")
        #expect(texts.filter { $0 == "onDispose" || $0 == "source disposed" } == ["source disposed", "onDispose"], "\(texts)")
        holder.dispose()
        observers.withLock { $0 = nil }
    }

    /// The ways in which a subscription ends.
    enum DisposalPath: CaseIterable {
        case completed, completedSynchronously, failed, failedSynchronously, dispose, disposeInside, take, takeSynchronously, closureThrows

        var isSynchronous: Bool { [.completedSynchronously, .failedSynchronously, .takeSynchronously].contains(self) }

        func send(to observer: AnyObserver<Int>) {
            observer.onNext(1)
            switch self {
            case .completed, .completedSynchronously: observer.onCompleted()
            case .failed, .failedSynchronously: observer.onError(TestError.failed)
            case .dispose, .disposeInside, .take, .takeSynchronously, .closureThrows: break
            }
        }

        func apply(_ stream: Observable<Int>) -> Observable<Int> {
            switch self {
            case .take, .takeSynchronously: stream.take(1)
            case .closureThrows: stream.map { _ in throw TestError.failed }
            default: stream
            }
        }
    }
}
