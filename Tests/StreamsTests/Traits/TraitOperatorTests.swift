import Foundation
import Streams
import StreamsTesting
import Testing

/// The operators of the traits do what those of streams do: each is built twice, and must emit the same.
@Suite("Operators of traits", .onOneThread, .countsResources)
struct TraitOperatorTests {
    /// An operator of a trait, and that of streams.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let trait: Observable<String>
        let stream: Observable<String>

        init(_ name: String, _ trait: some ObservableConvertibleType, _ stream: Observable<some Any>) {
            testDescription = name
            self.trait = trait.asObservable().map { "\($0)" }
            self.stream = stream.map { "\($0)" }
        }
    }

    @Test(arguments: infallible()) func `An infallible stream does what a stream does`(pair: Pair) {
        #expect(received(pair.trait) == received(pair.stream))
    }

    @Test(arguments: primitive()) func `A single, maybe or completable does what a stream does`(pair: Pair) {
        #expect(received(pair.trait) == received(pair.stream))
    }

    @Test(arguments: Timed.infallible + Timed.single) func `What takes time in a trait takes as much as in a stream`(_ operators: Timed) {
        #expect(events { operators.trait($0.asInfallible(onErrorJustReturn: 0), $1) } == events(operators.stream))
    }

    /// The events of a hot source under virtual time.
    private func events(_ make: (Observable<Int>, TestScheduler) -> Observable<Int>) -> [Recorded<Int>] {
        let scheduler = TestScheduler()
        let source = scheduler.hot([.next(10, 1), .next(20, 2), .next(200, 3), .completed(300)])
        return scheduler.start { make(source.asObservable(), scheduler) }.events
    }

    /// Operators with a scheduler.
    struct Timed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let trait: @Sendable (Infallible<Int>, TestScheduler) -> Observable<Int>
        let stream: @Sendable (Observable<Int>, TestScheduler) -> Observable<Int>
    }
}

extension TraitOperatorTests {
    static func infallible() -> [Pair] {
        let (numbers, stream) = (Infallible.of(1, 2, 2, 3), Observable.of(1, 2, 2, 3))
        let (optionals, streamOfOptionals) = (Infallible<Int?>.of(1, nil, 3), Observable<Int?>.of(1, nil, 3))
        return [
            Pair("empty", Infallible<Int>.empty(), Observable<Int>.empty()),
            Pair("never", Infallible<Int>.never(), Observable<Int>.never()),
            Pair("deferred", Infallible.deferred { numbers }, Observable.deferred { stream }),
            Pair("merge", Infallible.merge(numbers, .just(9)), Observable.merge(stream, .just(9))),
            Pair("merge(with:)", numbers.merge(with: .just(9)), Observable.merge(stream, .just(9))),
            Pair("distinctUntilChanged", numbers.distinctUntilChanged { $0 / 2 }, stream.distinctUntilChanged { $0 / 2 }),
            Pair("startWith", numbers.startWith(8, 9), stream.startWith(8, 9)),
            Pair("endWith", numbers.endWith(8, 9), stream.endWith(8, 9)),
            Pair("skip", numbers.skip(3), stream.skip(3)),
            Pair("skip(while:)", numbers.skip { $0 < 2 }, stream.skip { $0 < 2 }),
            Pair("take(while:)", numbers.take { $0 < 2 }, stream.take { $0 < 2 }),
            Pair(
                "take(while:behavior:)", numbers.take(while: { $0 < 2 }, behavior: .inclusive),
                stream.take(while: { $0 < 2 }, behavior: .inclusive)),
            Pair("take(until:)", numbers.take(until: Infallible.just("now")), stream.take(until: Observable.just("now"))),
            Pair("mapTo", numbers.mapTo("x"), stream.mapTo("x")),
            Pair("pairwise", numbers.pairwise(), stream.pairwise()),
            Pair("ifEmpty", Infallible.empty().ifEmpty(default: 7), Observable.empty().ifEmpty(default: 7)),
            Pair("toArray", numbers.toArray(), stream.toArray()),
            Pair("ignoreElements", numbers.ignoreElements(), stream.ignoreElements()),
            Pair("unwrap", optionals.unwrap(), streamOfOptionals.unwrap()),
            Pair("replaceNil", optionals.replaceNil(with: 0), streamOfOptionals.replaceNil(with: 0)),
            Pair("share", numbers.share(replay: 1), stream.share(replay: 1)),
            Pair("concatMap", numbers.concatMap { .of($0, -$0) }, stream.concatMap { Observable.of($0, -$0) }),
            Pair("flatMapIterable", numbers.flatMapIterable { 0..<$0 }, stream.flatMapIterable { 0..<$0 }),
            Pair("reduce", numbers.reduce(0, accumulator: +), stream.reduce(0, accumulator: +)),
            Pair("withLatestFrom", numbers.withLatestFrom(.just(5)) { $0 * $1 }, stream.withLatestFrom(Observable.just(5)) { $0 * $1 }),
            Pair("withLatestFrom(_:)", numbers.withLatestFrom(Infallible.just(5)), stream.withLatestFrom(Observable.just(5))),
        ]
    }

    static func primitive() -> [Pair] {
        let failed = Received.Failure()
        let (one, none) = (Maybe.just(1), Maybe<Int>.empty())
        let failing = Single<Int>.error(failed)
        return [
            Pair("Single.never", Single<Int>.never(), Observable<Int>.never()),
            Pair("Single.deferred", Single.deferred { .just(1) }, Observable.deferred { .just(1) }),
            Pair("Single.deferred that throws", Single<Int>.deferred { throw failed }, Observable<Int>.deferred { throw failed }),
            Pair("Single.catch", failing.catch { _ in .just(2) }, Observable.just(2)),
            Pair(
                "Single.catch that throws", failing.catch { _ in throw StreamError.noElements },
                Observable<Int>.error(StreamError.noElements)),
            Pair("Single.catchAndReturn", failing.catchAndReturn(3), Observable.just(3)),
            Pair("Single.retry(_:scheduler:)", failing.retry(.delay(.zero, maxAttempts: 2)), Observable<Int>.error(failed)),
            Pair("Single.trackActivity", Single.just(1).trackActivity(LoadIndicator()), Observable.just(1)),
            Pair("Single.mapError", failing.mapError { _ in StreamError.noElements }, Observable<Int>.error(StreamError.noElements)),
            Pair("Single.asMaybe", Single.just(1).asMaybe(), Observable.just(1)),
            Pair("Single.asCompletable", Single.just(1).asCompletable(), Observable<Never>.empty()),
            Pair("Single.mapTo", Single.just(1).mapTo("a"), Observable.just("a")),
            Pair("Single.apply", Single.just(1).apply { $0.map { $0 + 1 } }, Observable.just(2)),
            Pair("Single.apply to another kind", Single.just(1).apply { $0.filter { $0 > 1 } }, Observable<Int>.empty()),
            Pair("Maybe.mapTo of none", none.mapTo("a"), Observable<String>.empty()),
            Pair("Maybe.apply", one.apply { $0.ifEmpty(default: 2) }, Observable.just(1)),
            Pair("Maybe.flatMap", one.flatMap { Maybe.just($0 + 1) }, Observable.just(2)),
            Pair("Maybe.flatMap of none", none.flatMap { Maybe.just($0 + 1) }, Observable<Int>.empty()),
            Pair("Maybe.filter", one.filter { $0 > 1 }, Observable<Int>.empty()),
            Pair("Maybe.catchAndReturn", Maybe<Int>.error(failed).catchAndReturn(4), Observable.just(4)),
            Pair("Maybe.ifEmpty(default:)", none.ifEmpty(default: 5), Observable.just(5)),
            Pair("Maybe.ifEmpty(default:) of one", one.ifEmpty(default: 5), Observable.just(1)),
            Pair("Maybe.ifEmpty(switchTo:)", none.ifEmpty(switchTo: Single<Int>.error(failed)), Observable<Int>.error(failed)),
            Pair("Maybe.ifEmpty(switchTo:) a maybe", none.ifEmpty(switchTo: one), Observable.just(1)),
            Pair("Completable.zip", Completable.zip(.empty(), .empty()), Observable<Never>.empty()),
            Pair("Completable.zip with an error", Completable.zip(.empty(), .error(failed)), Observable<Never>.error(failed)),
            Pair("Completable.andThen", Completable.empty().andThen(.error(failed)), Observable<Never>.error(failed)),
            Pair("Completable.andThen a maybe", Completable.empty().andThen(one), Observable.just(1)),
            Pair("Completable.andThen a stream", Completable.empty().andThen(Observable.of(1, 2)), Observable.of(1, 2)),
        ]
    }
}

extension TraitOperatorTests.Timed {
    static let infallible = [
        Self("debounce") {
            $0.debounce(TestScheduler.tick * 15, scheduler: $1).asObservable()
        } stream: {
            $0.debounce(TestScheduler.tick * 15, scheduler: $1)
        },
        Self("throttle") {
            $0.throttle(TestScheduler.tick * 15, scheduler: $1).asObservable()
        } stream: {
            $0.throttle(TestScheduler.tick * 15, scheduler: $1)
        },
        Self("delay") {
            $0.delay(TestScheduler.tick * 5, scheduler: $1).asObservable()
        } stream: {
            $0.delay(TestScheduler.tick * 5, scheduler: $1)
        },
        Self("observe(on:)") {
            $0.observe(on: $1).asObservable()
        } stream: {
            $0.observe(on: $1)
        },
        Self("subscribe(on:)") {
            $0.subscribe(on: $1).asObservable()
        } stream: {
            $0.subscribe(on: $1)
        },
    ]

    static let single = [
        Self("Single.delay") {
            one($0).delay(TestScheduler.tick * 5, scheduler: $1).asObservable()
        } stream: {
            $0.take(1).delay(TestScheduler.tick * 5, scheduler: $1)
        },
        Self("Single.timeout") {
            one($0).timeout(TestScheduler.tick * 5, scheduler: $1).asObservable()
        } stream: {
            $0.take(1).timeout(TestScheduler.tick * 5, scheduler: $1)
        },
        Self("Single.observe(on:)") {
            one($0).observe(on: $1).asObservable()
        } stream: {
            $0.take(1).observe(on: $1)
        },
        Self("Single.subscribe(on:)") {
            one($0).subscribe(on: $1).asObservable()
        } stream: {
            $0.take(1).subscribe(on: $1)
        },
        Self("Single.retry") { numbers, _ in
            one(numbers).map { $0 < 3 ? try { throw Received.Failure() }() : $0 }.retry().asObservable()
        } stream: { numbers, _ in
            numbers.take(1).map { $0 < 3 ? try { throw Received.Failure() }() : $0 }.retry()
        },
    ]

    init(
        _ name: String, trait: @escaping @Sendable (Infallible<Int>, TestScheduler) -> Observable<Int>,
        stream: @escaping @Sendable (Observable<Int>, TestScheduler) -> Observable<Int>
    ) {
        testDescription = name
        self.trait = trait
        self.stream = stream
    }

    private static func one(_ numbers: Infallible<Int>) -> Single<Int> {
        numbers.asObservable().take(1).asSingle()
    }
}
