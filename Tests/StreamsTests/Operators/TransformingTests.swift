import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Elements transformed` {
    let drawing = Drawing()

    @Test func `pairs, runs and numbers of elements`() {
        let source = Observable.of(1, 2, 3, 4)
        #expect(heard(source.pairwise().map { $1 * 10 + $0 }) == ["21", "32", "43", "|"])
        #expect(heard(source.nwise(3)) == ["[1, 2, 3]", "[2, 3, 4]", "|"])
        #expect(heard(source.enumerated().map { $0.index * 100 + $0.element }) == ["1", "102", "203", "304", "|"])
    }

    @Test func `flatMapIterable sends the elements of sequences, and stops when nobody listens`() {
        #expect(heard(Observable.of([1, 2], [], [3]).flatMapIterable { $0 }) == ["1", "2", "3", "|"])
        #expect(heard(Observable.of(5).flatMapIterable { _ in 0...Int.max }.take(2)) == ["0", "1", "|"])
        #expect(heard(Observable.of(5).flatMapIterable { _ -> [Int] in throw Drawing.Failure() }) == ["# Failure()"])
    }

    @Test func `scan into changes its result in place`() {
        let counts = Observable.of("a", "b", "a").scan(into: [:]) { (counts: inout [String: Int], letter) in counts[letter, default: 0] += 1
        }
        #expect(heard(counts.map { $0["a"] ?? 0 }) == ["1", "1", "2", "|"])
    }

    @Test func `cast fails at an element of another type, ofType leaves it out`() {
        let mixed = Observable<any Sendable>.of(1, "x", 2)
        #expect(heard(mixed.cast(to: Int.self)) == ["1", "# cast(from: \"String\", to: \"Int\")"])
        #expect(heard(mixed.ofType(Int.self)) == ["1", "2", "|"])
    }

    @Test func `materialized events can be turned back, or taken apart`() {
        let failing = Observable.concat(.of(1, 2), .error(Drawing.Failure()))
        #expect(heard(failing.materialize().map { "\($0)" }) == ["next(1)", "next(2)", "error(Failure())", "|"])
        #expect(heard(failing.materialize().dematerialize()) == ["1", "2", "# Failure()"])
        #expect(heard(failing.materialize().elements()) == ["1", "2", "|"])
        #expect(heard(failing.materialize().errors().map { "\($0)" }) == ["Failure()", "|"])
        #expect(heard(Observable<Event<Int>>.of(.next(1), .completed, .next(2)).dematerialize()) == ["1", "|"])
    }

    @Test func `times and intervals are those of the scheduler`() {
        let source = drawing.cold("-1--2|")
        #expect(drawing.draw { source.timestamp(scheduler: drawing.scheduler).map { Int($0.time / .seconds(1)) } } == "-1--4|")
        #expect(drawing.draw { source.timeInterval(scheduler: drawing.scheduler).map { Int($0.interval / .seconds(1)) } } == "-1--3|")
    }

    @Test func `withUnretained completes when the object is gone`() {
        let subject = PublishSubject<Int>()
        let isGone = Tally()
        var object: Tally? = Tally()
        let texts = Lock<[String]>([])
        guard let held = object else { return }
        let subscription = subject.do(onDispose: { isGone.add() }).withUnretained(held) { $0.value + $1 }
            .subscribe { event in texts.withLock { $0.append("\(event)") } }
        subject.onNext(1)
        _ = consume held
        object = nil
        subject.onNext(2)
        #expect(texts.withLock { $0 } == ["next(1)", "completed"])
        #expect(isGone.value == 1)
        subscription.dispose()
    }
}

@Suite(.countsResources) struct `Streams of streams` {
    let drawing = Drawing()

    @Test func `expand sends what comes of what was sent, without growing the stack`() {
        #expect(heard(Observable.just(1).expand { $0 < 4 ? .just($0 + 1) : .empty() }) == ["1", "2", "3", "4", "|"])
        let count = Tally()
        Observable.just(0).expand { $0 < 100_000 ? .just($0 + 1) : .empty() }.subscribe(onNext: { _ in count.add() }).dispose()
        #expect(count.value == 100_001)
        #expect(heard(Observable.just(0).expand { .of($0 + 1, $0 + 10) }.take(4)) == ["0", "1", "10", "2", "|"])
        #expect(heard(Observable.just(0).expand { _ in throw Drawing.Failure() }) == ["0", "# Failure()"])
    }

    @Test func `concatMapEager subscribes at once and keeps the order`() {
        let slow = drawing.cold("---12|"), fast = drawing.cold("34|")
        #expect(drawing.draw { drawing.cold("01|").concatMapEager { $0 == 0 ? slow : fast } } == "---12(3 4 |)")
        #expect(slow.subscriptions == ["0-5"])
        #expect(fast.subscriptions == ["1-3"])
    }

    @Test func `concatMapEager keeps to its limit, and ends at the first error`() {
        let one = drawing.cold("--1|")
        #expect(drawing.draw { drawing.cold("(12|)").concatMapEager(maxConcurrent: 1) { _ in one } } == "--1--1|")
        #expect(drawing.draw { drawing.cold("(12|)").concatMapEager { $0 == 1 ? drawing.cold("---1|") : drawing.cold("-#") } } == "-#")
        let count = Tally()
        Observable.range(start: 0, count: 100_000).concatMapEager { Observable.just($0) }.subscribe(onNext: { _ in count.add() }).dispose()
        #expect(count.value == 100_000)
    }

    @Test func `a stream that waited for its turn in concatMapEager can be stopped while it sends in place`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.of(0, 1)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.repeatElement(1) }
            .take(5)
            .subscribe(onNext: { _ in count.add() })
        first.onNext(0)
        #expect(count.value == 5)
        subscription.dispose()
    }

    @Test func `streams that waited for their turn in concatMapEager do not grow the stack`() {
        let (first, count) = (PublishSubject<Int>(), Tally())
        let subscription = Observable.range(start: 0, count: 100_000)
            .concatMapEager(maxConcurrent: 1) { $0 == 0 ? first.take(1) : Observable.just($0) }
            .subscribe(onNext: { _ in count.add() })
        onThread { first.onNext(0) }
        #expect(count.value == 100_000)
        subscription.dispose()
    }

    @Test func `flatMapOutcome goes on with the first element or with the error, and lets the source go before`() {
        let source = drawing.cold("--1--2|"), failing = drawing.cold("-#")
        let next: @Sendable (Result<Int, any Error>) -> Observable<Int> = { outcome in (try? outcome.get()).map { .of($0, 8) } ?? .just(9) }
        #expect(drawing.draw { source.flatMapOutcome(next) } == "--(1 8 |)")
        #expect(source.subscriptions == ["0-2"])
        #expect(drawing.draw { failing.flatMapOutcome(next) } == "-(9 |)")
        #expect(drawing.draw { drawing.cold("--|").flatMapOutcome(next) } == "--|")
        #expect(drawing.draw { source.flatMapOutcome { _ throws -> Observable<Int> in throw Drawing.Failure() } } == "--#")
    }

    @Test func `groups send the elements of their key, and end with the source`() {
        let groups = drawing.cold("1-2-3-4|").groupBy { $0 % 2 }
        #expect(drawing.draw { groups.flatMap { group in group.map { $0 + group.key * 5 } } } == "6-2-8-4|")
        #expect(drawing.draw { groups.flatMap { group in group.toArray() } } == "-------([1, 3] [2, 4] |)")
        #expect(heard(Observable.of(1, 2).groupBy { (value: Int) -> Int in throw Drawing.Failure() }.map(\.key)) == ["# Failure()"])
    }

    @Test func `a group keeps its source running when the stream of groups is over`() {
        let source = drawing.cold("1-3-4-5|")
        #expect(drawing.draw { source.groupBy { $0 % 2 }.take(1).flatMap { $0 } } == "1-3---5|")
        #expect(source.subscriptions == ["0-7"])
    }

    @Test func `a group keeps as much as it is told for those who come later`() {
        let source = drawing.cold("1--2|")
        let late = source.groupBy(bufferSize: 1) { _ in 0 }.delay(.seconds(2), scheduler: drawing.scheduler).flatMap { $0 }
        #expect(drawing.draw { late } == "--12--|")
    }

    @Test func `buffers by time and count give quiet spans and the tail`() {
        let source = drawing.cold("-1-2-3---------|")
        #expect(
            drawing.draw { source.buffer(timeSpan: .seconds(5), count: 2, scheduler: drawing.scheduler) }
                == "---([1, 2])----([3])----([])-([] |)")
        #expect(source.subscriptions == ["0-15"])
        #expect(drawing.draw { drawing.cold("-1-#").buffer(timeSpan: .seconds(5), scheduler: drawing.scheduler) } == "---#")
    }

    @Test func `buffers by count, overlapping and apart`() {
        let source = Observable.range(start: 1, count: 5)
        #expect(heard(source.buffer(count: 2)) == ["[1, 2]", "[3, 4]", "[5]", "|"])
        #expect(heard(source.buffer(count: 3, skip: 1)) == ["[1, 2, 3]", "[2, 3, 4]", "[3, 4, 5]", "[4, 5]", "[5]", "|"])
        #expect(heard(source.buffer(count: 1, skip: 2)) == ["[1]", "[3]", "[5]", "|"])
    }

    @Test func `buffers by a boundary`() {
        let source = drawing.cold("-1-2--3-|"), boundary = drawing.cold("--x--x|")
        #expect(drawing.draw { source.buffer(boundary: boundary) } == "--([1])--([2])--([3] |)")
        #expect(source.subscriptions == ["0-8"])
        #expect(boundary.subscriptions == ["0-6"])
    }

    @Test func `windows are streams of what buffers hold`() {
        let source = drawing.cold("-1-2-3-4|")
        #expect(drawing.draw { source.window(count: 2).flatMap { $0.toArray() } } == "---([1, 2])---([3, 4])|")
        #expect(
            drawing.draw { source.window(timeSpan: .seconds(4), scheduler: drawing.scheduler).flatMap { $0.toArray() } }
                == "----([1, 2])---([3, 4] |)")
        #expect(drawing.draw { source.window(boundary: drawing.cold("----x")).flatMap { $0.toArray() } } == "----([1, 2])---([3, 4] |)")
    }

    @Test func `a window keeps its source running when the stream of windows is over`() {
        let source = drawing.cold("-1-2-3-4|")
        #expect(drawing.draw { source.window(count: 3).take(1).flatMap { $0 } } == "-1-2-(3 |)")
        #expect(source.subscriptions == ["0-5"])
    }
}
