import Streams
import StreamsTesting
import Testing

@Suite("Connectable streams", .onOneThread, .countsResources) struct ConnectableObservableTests {
    private let scheduler = TestScheduler()
    private let bag = DisposeBag()

    @Test func `A connection is made by connect, and ended by its disposable`() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        let published = source.publish()
        let observer = scheduler.observer(of: Int.self)
        let subscription = published.subscribe(observer)
        scheduler.advance(to: 2)
        let connection = published.connect()
        #expect(published.connect() === connection)
        scheduler.advance(to: 4)
        connection.dispose()
        scheduler.advance(to: 9)
        observer.expect("---2")
        source.expectSubscriptions("--^-!")
        subscription.dispose()
    }

    @Test func `Who subscribed to a disposed connection receives nothing of the next one`() {
        let source = PublishSubject<Int>()
        let published = source.publish()
        let observers = [TestObserver<Int>(), TestObserver<Int>()]
        published.subscribe(observers[0]).disposed(by: bag)
        for (element, observer) in observers.enumerated() {
            if element > 0 { published.subscribe(observer).disposed(by: bag) }
            let connection = published.connect()
            source.onNext(element)
            connection.dispose()
            #expect(!source.hasObservers)
        }
        #expect(observers.map(\.values) == [[0], [1]])
    }

    @Test func `A connection made at the end of the one before is another one`() {
        let published = Observable.of(1, 2).publish()
        let late = TestObserver<Int>()
        let bag = bag
        published.subscribe(onCompleted: {
            published.subscribe(late).disposed(by: bag)
            _ = published.connect()
        }).disposed(by: bag)
        _ = published.connect()
        #expect(late.events.map(\.event) == [.next(1), .next(2), .completed])
    }

    @Test(arguments: [true, false])
    func `A subscriber after the end of a connection waits for the next, which has a subject of its own`(isDisposed: Bool) throws {
        let source = try scheduler.cold("1-2|", of: Int.self)
        let replayed = source.replay(1)
        let connection = replayed.connect()
        scheduler.advance(to: 3)
        if isDisposed { connection.dispose() } else { scheduler.advance(to: 4) }
        let late = scheduler.observer(of: Int.self)
        replayed.subscribe(late).disposed(by: bag)
        scheduler.advance(to: 5)
        #expect(late.events.isEmpty)
        _ = replayed.connect()
        scheduler.advance(to: 9)
        late.expect([.next(5, 1), .next(7, 2), .completed(8)])
    }

    @Test func `A disposed connection frees what it replays`() {
        weak var token: Token?
        let source = PublishSubject<Token>()
        let replayed = source.replayAll()
        let connection = replayed.connect()
        do {
            let held = Token()
            token = held
            source.onNext(held)
        }
        #expect(token != nil)
        connection.dispose()
        #expect(token == nil)
        withExtendedLifetime(replayed) {}
    }

    @Test func `replay emits previous elements to late subscribers`() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        let replayed = source.replay(2)
        let all = source.replayAll()
        _ = replayed.connect()
        _ = all.connect()
        scheduler.advance(to: 6)
        #expect(scheduler.start(subscribed: 6, disposed: 6) { replayed }.values == [2, 3])
        #expect(scheduler.start(subscribed: 6, disposed: 6) { all }.values == [1, 2, 3])
        scheduler.run()
    }

    @Test func `refCount does not connect for a subscriber that is already disposed`() throws {
        let source = try scheduler.hot("-1-2-3-", of: Int.self)
        let shared = source.multicast(ReplaySubject(bufferSize: 1)).refCount()
        scheduler.start(disposed: 2) { shared }.expect("-1")
        scheduler.start(subscribed: 2, disposed: 9) { shared.take(1) }.expect("--(1|)")
        source.expectSubscriptions("^-!")
    }

    @Test func `refCount connects for a subscriber added during the replay to a first one that is disposed`() throws {
        let source = try scheduler.hot("-1-2-3-", of: Int.self)
        let shared = source.multicast(ReplaySubject(bufferSize: 1)).refCount()
        scheduler.start(disposed: 2) { shared }.expect("-1")
        let second = scheduler.observer(of: Int.self)
        let inner = SerialDisposable()
        let first = shared.take(1).subscribe(onNext: { _ in inner.disposable = shared.subscribe(second) })
        scheduler.advance(to: 9)
        second.expect([.next(2, 1), .next(3, 2), .next(5, 3)])
        inner.dispose()
        first.dispose()
    }

    @Test(arguments: [true, false])
    func `A subscriber that joins refCount inside its connection keeps that, unless the first has left`(joinsInTime: Bool) {
        let subject = PublishSubject<Int>()
        let shared = Observable.just(0).concat(subject).publish().refCount()
        let late = TestObserver<Int>()
        let holder = SerialDisposable()
        let join: @Sendable () -> Void = { holder.disposable = shared.subscribe(late) }
        let first = shared.take(1).subscribe(
            onNext: { _ in if joinsInTime { join() } }, onCompleted: { if !joinsInTime { join() } })
        subject.onNext(1)
        #expect(late.values == (joinsInTime ? [1] : [0, 1]))
        holder.dispose()
        first.dispose()
        subject.onNext(2)
        #expect(late.values == (joinsInTime ? [1] : [0, 1]))
    }

    @Test func `refCount disposes a synchronous source when its last subscriber has left inside the connection`() {
        let taken = Tally()
        let endless = Observable.range(start: 0, count: 10_000).do(onNext: { _ in taken.add() })
        for shared in [endless.publish().refCount(), endless.replay(1).refCount()] {
            let observer = TestObserver<Int>()
            shared.take(5).subscribe(observer).disposed(by: bag)
            #expect(observer.values == [0, 1, 2, 3, 4] && observer.isCompleted)
        }
        #expect(taken.value == 10)
    }

    @Test func `autoconnect waits for the given number of subscribers`() throws {
        let source = try scheduler.cold("-1|", of: Int.self)
        let stream = source.publish().autoconnect(2)
        let first = stream.subscribe { _ in }
        source.expectSubscriptions()
        let second = stream.subscribe { _ in }
        source.expectSubscriptions("^")
        scheduler.run()
        first.dispose()
        second.dispose()
    }

    @Test func `autoconnect connects once, and its subscribers after the end receive the terminal event`() {
        let source = PublishSubject<Int>()
        let published = source.publish()
        let stream = published.autoconnect()
        stream.subscribe { _ in }.disposed(by: bag)
        source.onCompleted()
        let (late, waiting) = (TestObserver<Int>(), TestObserver<Int>())
        stream.subscribe(late).disposed(by: bag)
        published.subscribe(waiting).disposed(by: bag)
        #expect(late.events.map(\.event) == [.completed])
        #expect(waiting.events.isEmpty)
    }

    @Test func `autoconnect connects although a connection by hand was disposed before`() {
        let source = PublishSubject<Int>()
        let published = source.publish()
        let stream = published.autoconnect(2)
        let second = TestObserver<Int>()
        stream.subscribe { _ in }.disposed(by: bag)
        published.connect().dispose()
        stream.subscribe(second).disposed(by: bag)
        source.onNext(1)
        #expect(second.events.map(\.event) == [.next(1)])
    }
}

/// An object whose release is observed.
final class Token: Sendable {}
