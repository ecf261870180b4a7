import StreamsTesting
import Testing

/// Every operator that subscribes to a stream after another has ended, which may be while that is being subscribed to.
@Suite("The order of attempts", .countsResources) struct AttemptOrderTests {
    struct Succession: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fails: Bool
        let apply: @Sendable (Observable<Int>) -> Observable<Int>

        init(_ name: String, fails: Bool = false, _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Int>) {
            (testDescription, self.fails, self.apply) = (name, fails, apply)
        }
    }

    static let successions = [
        Succession("retry", fails: true) { $0.retry(2) },
        Succession("retry(policy)", fails: true) {
            $0.retry(.delay(.zero, maxAttempts: 2), scheduler: ImmediateScheduler.instance)
        },
        Succession("retry(policy), delayed", fails: true) {
            $0.retry(.delay(.seconds(1), maxAttempts: 2), scheduler: ImmediateScheduler.instance)
        },
        Succession("retry(when:)", fails: true) { $0.retry(when: { $0.take(1) }) },
        Succession("catch", fails: true) { source in source.catch { _ in source } },
        Succession("catch(sequence:)", fails: true) { Observable.catch(sequence: [$0, $0]) },
        Succession("repeat") { $0.repeat(count: 2) },
        Succession("concat of a stream") { $0.concat($0) },
        Succession("concat of an array") { Observable.concat([$0, $0]) },
        Succession("concat of streams") { Observable.of($0, $0).concat() },
        Succession("startWith") { source in source.concat(source.startWith(0)) },
        Succession("concatMap") { source in Observable.of(1, 2).concatMap { _ in source } },
        Succession("flatMap(maxConcurrent: 1)") { source in Observable.of(1, 2).flatMap(maxConcurrent: 1) { _ in source } },
        Succession("merge(maxConcurrent: 1)") { source in Observable.of(source, source).merge(maxConcurrent: 1) },
        Succession("flatMapFirst") { source in Observable.of(1, 2).flatMapFirst { _ in source } },
        Succession("flatMapLatest") { source in Observable.of(1, 2).flatMapLatest { _ in source } },
        Succession("ifEmpty(switchTo:)") { source in source.filter { _ in false }.ifEmpty(switchTo: source) },
        Succession("andThen") { source in source.ignoreElements().asCompletable().andThen(source) },
        Succession("Single.catch", fails: true) { source in
            source.asSingle().catch { _ in source.asSingle() }.asObservable()
        },
        Succession("Maybe.ifEmpty") { source in
            source.filter { _ in false }.asMaybe().ifEmpty(switchTo: source.take(1).asMaybe()).asObservable()
        },
    ]

    @Test(arguments: successions) func `A stream is disposed before the one that follows it begins`(succession: Succession) {
        let open = Lock((now: 0, most: 0, begun: 0))
        let source = Observable<Int>.create { observer in
            open.withLock { open in
                open.now += 1
                open.begun += 1
                open.most = max(open.most, open.now)
            }
            observer.onNext(1)
            if succession.fails { observer.onError(TestError.failed) } else { observer.onCompleted() }
            return Disposables.create { open.withLock { $0.now -= 1 } }
        }
        succession.apply(source).subscribe { _ in }.dispose()
        let seen = open.withLock { $0 }
        #expect(seen.most == 1 && seen.begun >= 2 && seen.now == 0, "\(seen)")
    }

    @Test func `An empty stream that disposes the subscription while it begins is followed by none`() {
        let started = Tally()
        let holder = SerialDisposable()
        let trigger = PublishSubject<Void>()
        let empty = Observable<Int>.create { observer in
            observer.onCompleted()
            holder.dispose()
            return Disposables.create()
        }
        holder.disposable = trigger.flatMap { empty.ifEmpty(switchTo: Observable.deferred { .just(started.add()) }) }.subscribe { _ in }
        trigger.onNext(())
        #expect(started.value == 0)
    }

    @Test(arguments: [false, true]) func `An empty second stream does not end the third or fourth, whose error is forwarded`(isFourth: Bool)
    {
        let (numbers, last) = (PublishSubject<Int>(), PublishSubject<Int>())
        let failures = Tally()
        let empty = Observable<Int>.empty()
        let results =
            isFourth
            ? numbers.withLatestFrom(empty, Observable.just(1), last) { $0 + $1 + $2 + $3 }
            : numbers.withLatestFrom(empty, last) { $0 + $1 + $2 }
        _ = results.subscribe(onError: { _ in failures.add() })
        last.onError(TestError.failed)
        #expect(failures.value == 1)
    }

    @Test func `The latest of several streams are combined in the order of the parameters`() {
        let numbers = PublishSubject<Int>()
        let results = Lock<[String]>([])
        let texts = numbers.withLatestFrom(Observable.just("a"), Observable.just("b"), Observable.just("c")) { "\($0)\($1)\($2)\($3)" }
        let subscription = texts.subscribe(onNext: { text in results.withLock { $0.append(text) } })
        numbers.onNext(1)
        subscription.dispose()
        #expect(results.withLock { $0 } == ["1abc"])
    }
}
