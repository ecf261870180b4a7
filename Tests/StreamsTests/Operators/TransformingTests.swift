import Schedulers
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Elements transformed` {
    @Test func `flatMapIterable stops when disposed, however long its sequence is`() {
        #expect(received(Observable.of(5).flatMapIterable { _ in 0...Int.max }.take(2)) == ["0", "1", "|"])
    }

    @Test func `cast fails at an element of another type`() {
        let mixed = Observable<any Sendable>.of(1, "x", 2)
        #expect(received(mixed.cast(to: Int.self)) == ["1", "# cast(from: \"String\", to: \"Int\")"])
    }

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

@Suite(.countsResources) struct `Streams of streams` {
    @Test func `expand emits the elements of a stream before those that they expand to`() {
        #expect(received(Observable.just(0).expand { .of($0 + 1, $0 + 10) }.take(4)) == ["0", "1", "10", "2", "|"])
        #expect(received(Observable.just(0).expand { _ in throw Received.Failure() }) == ["0", "# Failure()"])
    }

    @Test func `what a previous stream of flatMapLatest emits late is dropped`() {
        let (numbers, received) = (PublishSubject<Int>(), Output())
        let kept = Lock<[AnyObserver<Int>]>([])
        let subscription =
            numbers
            .flatMapLatest { _ in Observable<Int> { downstream, _ in kept.withLock { $0.append(downstream) } } }
            .subscribe(onNext: { received.print("\($0)") })
        for number in 0..<3 {
            numbers.onNext(number)
            for (index, observer) in kept.withLock({ $0 }).enumerated() { observer.onNext(number * 10 + index) }
        }
        #expect(received.lines == ["0", "11", "22"])
        kept.withLock { $0 }.forEach { $0.onCompleted() }
        subscription.dispose()
    }

    @Test(arguments: [false, true]) func `flatMapLatest releases its observer once the outer subject is deallocated and the inner is over`(
        innerIsFirst: Bool
    ) {
        let inner = PublishSubject<Int>()
        var outer: PublishSubject<Int>? = PublishSubject()
        var captured: Tally? = Tally()
        weak let observer = captured
        let subscription = outer?.flatMapLatest { _ in inner }.subscribe(onNext: { [captured] _ in captured?.add() })
        outer?.onNext(0)
        inner.onNext(1)
        #expect(observer?.value == 1)
        captured = nil
        if innerIsFirst { inner.onCompleted() }
        outer = nil
        if !innerIsFirst { inner.onCompleted() }
        #expect(observer == nil)
        subscription?.dispose()
    }

    @Test func `a stream that flatMapLatest switched to goes on once the outer stream is over, and is disposed with the subscription`() {
        let (outer, inner, received) = (PublishSubject<Int>(), PublishSubject<Int>(), Output())
        let subscription = outer.flatMapLatest { _ in inner }.subscribe { event in received.print("\(event)") }
        outer.onNext(0)
        outer.onCompleted()
        inner.onNext(1)
        #expect(received.lines == ["next(1)"])
        subscription.dispose()
        #expect(!inner.hasObservers)
    }

    @Test func `a queued stream of concatMapEager can be disposed while it emits synchronously`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.of(0, 1)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.repeatElement(1) }
            .take(5)
            .subscribe(onNext: { _ in count.add() })
        first.onNext(0)
        #expect(count.value == 5)
        subscription.dispose()
    }

    @Test func `queued streams of concatMapEager do not grow the stack`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.range(start: 0, count: 100_000)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.just($0) }
            .subscribe(onNext: { _ in count.add() })
        onThread { first.onNext(0) }
        #expect(count.value == 100_000)
        subscription.dispose()
    }

    @Test func `groups and windows keep their source running when the stream of them is over`() throws {
        let scheduler = TestScheduler()
        let source = try scheduler.hot("-1-3-4-5|", of: Int.self)
        let window = scheduler.observer(of: Int.self)
        let subscription = source.window(count: 3).take(1).flatMap { $0 }.subscribe(window)
        scheduler.start { source.groupBy { $0 % 2 }.take(1).flatMap { $0 } }.expect("-1-3---5|")
        window.expect("-1-3-(4|)")
        source.expectSubscriptions("^----!", "^-------!")
        subscription.dispose()
    }

    @Test func `a group buffers elements for late subscribers up to its limit`() throws {
        let scheduler = TestScheduler()
        let source = try scheduler.cold("1--2|", of: Int.self)
        scheduler.start { source.groupBy(bufferSize: 1) { _ in 0 }.delay(.seconds(2), scheduler: scheduler).flatMap { $0 } }
            .expect("--12--|")
    }
}
