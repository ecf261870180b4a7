import Streams
import StreamsTesting
import Testing

/// The common behaviour of singles, maybes and completables.
@Suite("Streams of at most one element", .onOneThread, .countsResources) struct PrimitiveSequenceTests {
    @Test func `Up to eight are zipped with a closure`() {
        let one = Single.just(1), maybe = Maybe.just(1)
        #expect(received(Single.zip(one, one, one) { $0 + $1 + $2 }.asObservable()) == ["3", "|"])
        let eight = Single.zip(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(received(eight.asObservable()) == ["8", "|"])
        #expect(received(Maybe.zip(maybe, maybe, maybe, maybe) { $0 + $1 + $2 + $3 }.asObservable()) == ["4", "|"])
    }

    @Test func `Up to eight are zipped to a tuple, and a collection to an array`() {
        let pair = Single.zip(.just(1), .just("a"))
        #expect(received(pair.map { "\($0.0)\($0.1)" }.asObservable()) == ["1a", "|"])
        let three = Maybe.zip(.just(1), .just("a"), .just(2)).map { "\($0.0)\($0.1)\($0.2)" }
        #expect(received(three.asObservable()) == ["1a2", "|"])
        #expect(received(Single.zip([.just(1), .just(2)]).asObservable()) == ["[1, 2]", "|"])
        #expect(received(Single.zip([.just(1), .just(2)]) { $0.reduce(0, +) }.asObservable()) == ["3", "|"])
        #expect(received(Single.zip([Single<Int>]()).asObservable()) == ["[]", "|"])
    }

    @Test func `An error or an empty maybe ends it at once, and disposes the others`() {
        let disposed = Tally()
        let waiting = Single<Int>.never().do(onDispose: { disposed.add() })
        #expect(received(Single.zip(waiting, Single<Int>.error(Received.Failure())).map { "\($0)" }.asObservable()) == ["# Failure()"])
        #expect(received(Maybe.zip(waiting.asMaybe(), Maybe<Int>.empty()).map { "\($0)" }.asObservable()) == ["|"])
        let throwing = Single<Int>.zip(.just(1), .just(2)) { (_: Int, _: Int) in throw Received.Failure() }
        #expect(received(throwing.asObservable()) == ["# Failure()"])
        #expect(disposed.value == 2)
    }

    @Test func `They continue with one another`() {
        #expect(received(Single.just(1).flatMapMaybe { $0 > 1 ? .just($0) : .empty() }.asObservable()) == ["|"])
        #expect(received(Maybe.just(1).flatMapSingle { .just($0 + 1) }.asObservable()) == ["2", "|"])
        #expect(received(Maybe<Int>.empty().flatMapSingle { .just($0 + 1) }.asObservable()) == ["|"])
        #expect(received(Maybe.just(1).flatMapCompletable { _ in .error(Received.Failure()) }.asObservable()) == ["# Failure()"])
        #expect(received(Maybe.just("x").compactMap { Int($0) }.ifEmpty(switchTo: Maybe.just(7)).asObservable()) == ["7", "|"])
    }

    @Test func `do is told of the outcome, before and after`() {
        let log = Output()
        _ = received(Single.just(1).do(onSuccess: { log.print("on \($0)") }, afterSuccess: { log.print("after \($0)") }).asObservable())
        _ = received(
            Maybe<Int>.empty().do(
                onCompleted: { log.print("completed") }, onSubscribe: { log.print("subscribe") }, onSubscribed: { log.print("subscribed") }
            ).asObservable())
        _ = received(
            Completable.error(Received.Failure()).do(onError: { log.print("\($0)") }, onDispose: { log.print("dispose") }).asObservable())
        #expect(log.lines == ["on 1", "after 1", "subscribe", "completed", "subscribed", "Failure()", "dispose"])
    }

    @Test func `One closure receives each outcome once`() {
        let log = Output()
        for maybe in [Maybe.just(1), .empty(), .error(Received.Failure())] {
            maybe.subscribe { event in log.print("\(event)") }.dispose()
        }
        for completable in [Completable.empty(), .error(Received.Failure())] {
            completable.subscribe { event in log.print("\(event)") }.dispose()
        }
        let failure = "error(\(String(reflecting: Received.Failure())))"
        #expect(log.lines == ["success(1)", "completed", failure, "completed", failure])
    }

    @Test func `They are timed as streams are`() {
        func run<Source: ObservableConvertibleType>(_ make: (TestScheduler) -> Source) -> TestObserver<Source.Element> {
            let scheduler = TestScheduler()
            return scheduler.start { make(scheduler) }
        }
        run { Single<Int>.timer(.seconds(2), scheduler: $0) }.expect("--(0|)")
        run { Single<Int>.never().timeout(.seconds(2), other: .just(5), scheduler: $0) }.expect("--(5|)")
        run { Single.just(5).delaySubscription(.seconds(3), scheduler: $0) }.expect("---(5|)")
        run { Maybe.just(5, scheduler: $0) }.expect("(5|)")
    }

    @Test func `A resource lives as long as the subscription`() {
        let resource = BooleanDisposable()
        let single = Single.using({ resource }, primitiveSequenceFactory: { resource in .just(resource.isDisposed) })
        #expect(received(single.asObservable()) == ["false", "|"])
        #expect(resource.isDisposed)
        let failing = Completable.using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in throw Received.Failure() })
        #expect(received(failing.asObservable()) == ["# Failure()"])
    }

    @Test func `A retry ends with the error, the element, or without one if its trigger completes`() {
        let failing = Single<Int>.error(Received.Failure())
        #expect(received(failing.retry(when: { errors in errors.take(0) }).asObservable()) == ["# noElements"])
        let maybe = Maybe<Int>.error(Received.Failure())
        #expect(received(maybe.retry(when: { errors in errors.take(0) }).asObservable()) == ["|"])
        let attempts = Tally()
        let flaky = Single<Int>.deferred {
            let attempt = attempts.add()
            return attempt < 3 ? .error(Received.Failure()) : .just(attempt)
        }
        #expect(received(flaky.retry(when: { errors in errors }).asObservable()) == ["3", "|"])
    }

    @Test func `debug prints the events`() {
        let lines = Output()
        _ = received(Single.just(7).debug("single") { line in lines.print(line) }.asObservable())
        #expect(lines.lines.contains { $0.hasSuffix("single next(7)") })
    }

    @Test func `An async closure creates them, and disposing cancels it`() async throws {
        #expect(try await Single.fromAsync { try await Single.just(4).value + 1 }.value == 5)
        #expect(try await Maybe<Int>.fromAsync { nil }.value == nil)
        try await Completable.fromAsync { try await Completable.empty().value }.value
        await #expect(throws: Received.Failure.self) { try await Single<Int>.fromAsync { throw Received.Failure() }.value }
        let (isCancelled, continuation) = AsyncStream<Bool>.makeStream()
        let (isRunning, running) = AsyncStream<Void>.makeStream()
        let waiting = Single<Int>.fromAsync {
            running.yield()
            await withTaskCancellationHandler {
                for await _ in AsyncStream<Void>.makeStream().stream { return }
            } onCancel: {
                continuation.yield(true)
            }
            return 1
        }
        let subscription = waiting.subscribe()
        for await _ in isRunning { break }
        subscription.dispose()
        for await value in isCancelled {
            #expect(value)
            break
        }
    }
}
