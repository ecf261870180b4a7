import StreamsTesting
import Testing

@Suite("Subjects", .countsResources)
struct SubjectTests {
    let observer = TestObserver<Int>()

    @Test func `A publish subject emits to its subscribers in the order of subscribing`() {
        let subject = PublishSubject<Int>()
        let log = Output()
        let subscriptions = ["a", "b", "c"].map { name in
            subject.subscribe(onNext: { value in log.print("\(name)\(value)") })
        }
        subject.onNext(1)
        subscriptions[0].dispose()
        let late = subject.subscribe(onNext: { value in log.print("d\(value)") })
        subject.onNext(2)
        #expect(log.lines == ["a1", "b1", "c1", "b2", "c2", "d2"])
        for subscription in subscriptions + [late] { subscription.dispose() }
    }

    @Test func `A subject knows whether somebody is subscribed`() {
        func check(_ hasObservers: @autoclosure () -> Bool, of source: some ObservableType<Int>) {
            #expect(!hasObservers())
            let subscriptions = [source.subscribe(), source.subscribe()]
            #expect(hasObservers())
            subscriptions[0].dispose()
            #expect(hasObservers())
            subscriptions[1].dispose()
            #expect(!hasObservers())
        }
        let publish = PublishSubject<Int>(), behavior = BehaviorSubject(value: 0), replay = ReplaySubject<Int>(bufferSize: 1)
        let async = AsyncSubject<Int>(), relay = BehaviorRelay(value: 0), replayRelay = ReplayRelay<Int>(bufferSize: 1)
        let publishRelay = PublishRelay<Int>()
        check(publish.hasObservers, of: publish)
        check(behavior.hasObservers, of: behavior)
        check(replay.hasObservers, of: replay)
        check(async.hasObservers, of: async)
        check(relay.hasObservers, of: relay)
        check(replayRelay.hasObservers, of: replayRelay)
        check(publishRelay.hasObservers, of: publishRelay)
    }

    @Test func `A subject that has terminated has no observers`() {
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe()
        subject.onCompleted()
        #expect(!subject.hasObservers)
        subscription.dispose()
    }

    @Test func `Hundreds may subscribe and dispose while events are delivered`() {
        let subject = PublishSubject<Int>()
        let bag = Lock<[any Disposable]>([])
        let received = Lock(0)
        let subscription = subject.subscribe { _ in
            let gone = bag.withLock { bag in
                defer { bag = [] }
                return bag
            }
            for disposable in gone { disposable.dispose() }
            for _ in 0..<300 {
                let disposable = subject.subscribe { _ in received.withLock { $0 += 1 } }
                bag.withLock { $0.append(disposable) }
            }
        }
        for value in 0..<5 { subject.onNext(value) }
        #expect(received.withLock { $0 } == 0)
        subscription.dispose()
        subject.onNext(9)
        #expect(received.withLock { $0 } == 300)
        for disposable in bag.withLock({ $0 }) { disposable.dispose() }
    }

    @Test func `A late subscriber of a terminated subject receives its terminal event`() {
        let subject = PublishSubject<Int>()
        subject.onNext(1)
        subject.onError(TestError.failed)
        subject.subscribe(observer).dispose()
        #expect(observer.events.map(\.event) == [.error(TestError.failed)])
    }

    @Test func `A deallocated subject releases its observers`() {
        weak var token: Token?
        let subscription: any Disposable
        do {
            let held = Token()
            token = held
            subscription = PublishSubject<Int>().subscribe { _ in withExtendedLifetime(held) {} }
        }
        #expect(token == nil)
        subscription.dispose()
    }

    @Test func `A behavior subject emits its value before subscribe returns, and only its terminal event after termination`() {
        let subject = BehaviorSubject(value: 1)
        let subscription = subject.subscribe(observer)
        #expect(observer.values == [1])
        subject.onNext(2)
        subject.onCompleted()
        #expect(observer.values == [1, 2] && observer.isCompleted)
        #expect(subject.value == 2)
        let late = TestObserver<Int>()
        subject.subscribe(late).dispose()
        #expect(late.events.map(\.event) == [.completed])
        subscription.dispose()
    }

    @Test func `The value is the last accepted one, also inside an observer`() {
        let subject = BehaviorSubject(value: 0)
        let seen = Lock<[Int]>([])
        let subscription = subject.subscribe(onNext: { value in
            if value == 1 {
                subject.onNext(2)
                seen.withLock { $0.append(subject.value) }
            }
            seen.withLock { $0.append(value) }
        })
        subject.onNext(1)
        #expect(seen.withLock { $0 } == [0, 2, 1, 2])
        subscription.dispose()
    }

    @Test func `A re-entrant subscriber receives the current value before subscribe returns, and later events after it`() {
        let subject = BehaviorSubject(value: 0)
        let inner = TestObserver<Int>()
        let bag = CompositeDisposable()
        let atReturn = Lock<[Int]>([])
        bag.insert(
            subject.subscribe(onNext: { value in
                guard value == 1 else { return }
                subject.onNext(2)
                bag.insert(subject.subscribe(inner))
                atReturn.withLock { $0 = inner.values }
                subject.onNext(3)
            }))
        subject.onNext(1)
        #expect(atReturn.withLock { $0 } == [2])
        #expect(inner.values == [2, 3])
        bag.dispose()
    }

    @Test func `Events emitted by the observer of a replayed value follow the replayed values`() {
        let subject = ReplaySubject<Int>(bufferSize: 2)
        subject.onNext(1)
        subject.onNext(2)
        let subscription = subject.subscribe { [observer] event in
            observer.on(event)
            if event.element == 1 { subject.onNext(3) }
        }
        #expect(observer.values == [1, 2, 3])
        subscription.dispose()
    }

    @Test func `A replay subject replays the last elements, also after termination`() {
        let subject = ReplaySubject<Int>(bufferSize: 2)
        for value in 1...3 { subject.onNext(value) }
        subject.onCompleted()
        subject.subscribe(observer).dispose()
        #expect(observer.events.map(\.event) == [.next(2), .next(3), .completed])
    }

    @Test func `An unbounded replay subject keeps all elements, one of size zero none`() {
        let (all, none) = (ReplaySubject<Int>.createUnbounded(), ReplaySubject<Int>(bufferSize: 0))
        for value in 0..<100 {
            all.onNext(value)
            none.onNext(value)
        }
        all.subscribe(observer).dispose()
        #expect(observer.values == Array(0..<100))
        none.subscribe { _ in Issue.record("nothing is kept") }.dispose()
    }

    @Test func `A replay subject with a window drops elements that are too old`() {
        let time = VirtualTimeScheduler()
        let subject = ReplaySubject<Int>(window: .seconds(2), scheduler: time)
        subject.onNext(1)
        time.advance(by: .seconds(1))
        subject.onNext(2)
        time.advance(by: .milliseconds(1_500))
        subject.subscribe(observer).dispose()
        #expect(observer.values == [2])
    }

    @Test func `An async subject emits its last element on completion, and to later subscribers`() {
        let subject = AsyncSubject<Int>()
        let subscription = subject.subscribe(observer)
        subject.onNext(1)
        subject.onNext(2)
        #expect(observer.events.isEmpty)
        subject.onCompleted()
        subject.subscribe(observer).dispose()
        #expect(observer.events.map(\.event) == [.next(2), .completed, .next(2), .completed])
        subscription.dispose()
    }

    @Test func `An async subject that fails emits its error only`() {
        let subject = AsyncSubject<Int>()
        subject.onNext(1)
        subject.onError(TestError.failed)
        subject.subscribe(observer).dispose()
        #expect(observer.events.map(\.event) == [.error(TestError.failed)])
    }

    @Test func `A subscription that is disposed on another thread before its turn to be added does not stay in the list of observers`() {
        let stop = PublishSubject<Void>()
        // Read between the start of the subscription and its turn.
        let time = Interruption { onThread { stop.onNext(()) } }
        let subject = ReplaySubject<Int>(window: .seconds(2), scheduler: time)
        let subscription = subject.take(until: stop).subscribe(observer)
        #expect(observer.events.map(\.event) == [.completed])
        #expect(!subject.hasObservers)
        subscription.dispose()
    }

    /// A scheduler that calls a closure whenever it is asked for the time.
    private final class Interruption: Scheduler {
        private let interrupt: @Sendable () -> Void

        init(_ interrupt: @escaping @Sendable () -> Void) {
            self.interrupt = interrupt
        }

        var now: Duration {
            interrupt()
            return .zero
        }

        func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable { Disposables.create() }

        func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable { Disposables.create() }
    }

    private final class Token: Sendable {}
}
